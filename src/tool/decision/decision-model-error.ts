/** A decision model refused to answer, or answered something else than the questions; the message says what came. */
export class DecisionModelError extends Error {
  override readonly name = 'DecisionModelError';
}
