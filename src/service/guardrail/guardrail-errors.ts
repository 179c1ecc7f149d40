/** What one guardrail found. */
export interface GuardrailFailure {
  /** The name of its function, or its place in the option. */
  readonly guardrail: string;
  readonly message: string;
  readonly cause?: unknown;
}

abstract class GuardrailError extends Error {
  /** In the order of the guardrails. */
  readonly failures: readonly GuardrailFailure[];

  constructor(what: string, failures: readonly GuardrailFailure[]) {
    const cause = failures.find((failure) => failure.cause !== undefined)?.cause;
    const found = failures.map(({ guardrail, message }) => `${guardrail}: ${message}`);
    super(`${what} ${found.join('; ')}`, cause === undefined ? undefined : { cause });
    this.failures = failures;
  }
}

/** Input guardrails refused the user's message; the model did not get it. `cause` is what the first of them gave as its cause. */
export class InputGuardrailError extends GuardrailError {
  override readonly name = 'InputGuardrailError';

  constructor(failures: readonly GuardrailFailure[]) {
    super("The user's message was refused by", failures);
  }
}

/** Output guardrails refused the model's answer. `cause` is what the first of them gave as its cause. */
export class OutputGuardrailError extends GuardrailError {
  override readonly name = 'OutputGuardrailError';

  constructor(failures: readonly GuardrailFailure[]) {
    super('The answer was refused by', failures);
  }
}
