/** A replay can't go on: a request is not the recorded one, or the tape has no more. */
export class CassetteError extends Error {
  override readonly name = 'CassetteError';
}
