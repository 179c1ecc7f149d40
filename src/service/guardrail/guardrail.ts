import type { ChatResponse } from '../../chat/chat-response.ts';
import type { GuardrailResult, InputGuardrailResult } from '../../chat/guardrail-result.ts';
import type { ChatMessage, UserMessage } from '../../chat/message.ts';
import type { Value } from '../../chat/value.ts';
import type { InvocationContext } from '../../tool/invocation-context.ts';

export interface InputGuardrailRequest {
  /** As the model would get it: with what was retrieved, and as the guardrails before this one have rewritten it. */
  readonly userMessage: UserMessage;
  /** Its texts. */
  readonly text: string;
  /** The history before it. */
  readonly messages: readonly ChatMessage[];
  readonly invocation: InvocationContext;
}

/**
 * Judges the user's message before the model gets it: `guardrail.success()`, `rewrite`, `failure` or `fatal`. One that throws
 * counts as fatal.
 *
 * @example
 * const brief: InputGuardrail = ({ text }) => (text.length < 5000 ? guardrail.success() : guardrail.failure('It is too long.'));
 */
export type InputGuardrail = (request: InputGuardrailRequest) => Value<InputGuardrailResult>;

export interface OutputGuardrailRequest {
  /** As the guardrails before this one have rewritten it. */
  readonly response: ChatResponse;
  /** The text of the response. */
  readonly text: string | null;
  /** What the model was sent. */
  readonly messages: readonly ChatMessage[];
  readonly invocation: InvocationContext;
  /** How many answers were judged, this one included: 1 for the first. */
  readonly attempt: number;
}

/**
 * Judges the model's answer before anybody gets it: `guardrail.success()`, `rewrite`, `failure`, `fatal`, `retry` or `reprompt`.
 * One that throws counts as fatal.
 */
export type OutputGuardrail = (request: OutputGuardrailRequest) => Value<GuardrailResult>;
