/** What a guardrail says of a message. */
export type GuardrailResult =
  | { readonly type: 'success'; readonly rewrittenText?: string }
  /** The others are still asked, then the invocation fails with all that was found. */
  | { readonly type: 'failure'; readonly message: string; readonly cause?: unknown }
  /** The invocation fails at once. */
  | { readonly type: 'fatal'; readonly message: string; readonly cause?: unknown }
  /** Of an answer only: the same request goes to the model again. */
  | { readonly type: 'retry'; readonly message: string }
  /** Of an answer only: the model is asked again, with `prompt` as one more message of the user. */
  | { readonly type: 'reprompt'; readonly message: string; readonly prompt: string };

type Result<T extends GuardrailResult['type']> = Extract<GuardrailResult, { readonly type: T }>;

/** What a guardrail may say of the user's message, which nobody can be asked for again. */
export type InputGuardrailResult = Result<'success' | 'failure' | 'fatal'>;

/** Makes the results that a guardrail may return. */
export const guardrail = {
  success: (): Result<'success'> => ({ type: 'success' }),
  rewrite: (rewrittenText: string): Result<'success'> => ({ type: 'success', rewrittenText }),
  failure: (message: string, options?: { cause?: unknown }): Result<'failure'> => ({ type: 'failure', message, ...options }),
  fatal: (message: string, options?: { cause?: unknown }): Result<'fatal'> => ({ type: 'fatal', message, ...options }),
  retry: (message: string): Result<'retry'> => ({ type: 'retry', message }),
  reprompt: (message: string, prompt: string): Result<'reprompt'> => ({ type: 'reprompt', message, prompt }),
} as const;
