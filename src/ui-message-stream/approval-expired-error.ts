/** An approval was answered, and nobody waits for the answer any more. */
export class ApprovalExpiredError extends Error {
  override readonly name = 'ApprovalExpiredError';
}
