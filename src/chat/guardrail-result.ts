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

/** Makes the results that a guardrail may return. */
export const guardrail = {
  success: (): GuardrailResult => ({ type: 'success' }),
  rewrite: (rewrittenText: string): GuardrailResult => ({ type: 'success', rewrittenText }),
  failure: (message: string, options?: { cause?: unknown }): GuardrailResult => ({ type: 'failure', message, ...options }),
  fatal: (message: string, options?: { cause?: unknown }): GuardrailResult => ({ type: 'fatal', message, ...options }),
  retry: (message: string): GuardrailResult => ({ type: 'retry', message }),
  reprompt: (message: string, prompt: string): GuardrailResult => ({ type: 'reprompt', message, prompt }),
} as const;
