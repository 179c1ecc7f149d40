import { map, type Observable } from 'rxjs';
import type { ChatResponse } from '../../chat/chat-response.ts';
import { guardrailChain, guardrailName, type GuardrailWatch, type Judged } from './guardrail-chain.ts';
import { OutputGuardrailError } from './guardrail-errors.ts';
import type { OutputGuardrail, OutputGuardrailRequest } from './guardrail.ts';

export type OutputGuardrailOutcome =
  /** The response is the same object unless a guardrail has rewritten its text. */
  | { readonly type: 'success'; readonly response: ChatResponse }
  /** With an `OutputGuardrailError`, or a `ConfigurationError` when a guardrail returned what it must not. */
  | { readonly type: 'failed'; readonly error: Error }
  /** `error` is for when the model may not be asked again. */
  | { readonly type: 'retry'; readonly error: OutputGuardrailError }
  | { readonly type: 'reprompt'; readonly prompt: string; readonly error: OutputGuardrailError };

/** Lets the guardrails judge the model's answer, one after the other; emits one outcome, and never errors. */
export function runOutputGuardrails(
  guardrails: readonly OutputGuardrail[],
  { response, ...request }: Omit<OutputGuardrailRequest, 'text'>,
  watch: GuardrailWatch<ChatResponse>,
): Observable<OutputGuardrailOutcome> {
  const chain = {
    kind: 'output' as const,
    guardrails: guardrails.map((guardrail, place) => ({
      name: guardrailName(guardrail, 'outputGuardrails', place),
      judge: (subject: ChatResponse) => guardrail({ ...request, response: subject, text: subject.aiMessage.text }),
    })),
    rewritten: withText,
  };
  return guardrailChain(chain, response, watch).pipe(map(outcome));
}

function outcome({ subject, failures, end, misuse }: Judged<ChatResponse>): OutputGuardrailOutcome {
  if (failures.length === 0) return { type: 'success', response: subject };
  if (misuse) return { type: 'failed', error: misuse };
  const error = new OutputGuardrailError(failures);
  if (end?.type === 'retry') return { type: 'retry', error };
  return end?.type === 'reprompt' ? { type: 'reprompt', prompt: end.prompt, error } : { type: 'failed', error };
}

function withText(response: ChatResponse, text: string): ChatResponse {
  return { ...response, aiMessage: { ...response.aiMessage, text } };
}
