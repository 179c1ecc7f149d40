/** For the developer: the user is told nothing of it. */
export function logError(what: string, error: unknown): void {
  try {
    console.error(what, error);
  } catch {
    // No console is no reason to fail.
  }
}
