/** What the soak's own tools, hooks and stores fail with. */
export class SoakError extends Error {
  override readonly name = 'SoakError';
}
