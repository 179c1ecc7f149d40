/** For logging: a logger that throws must not change what it is told of. */
export function quietly(log: () => void): void {
  try {
    log();
  } catch {
    // There is nobody left to tell.
  }
}
