import { map, type Observable } from 'rxjs';
import type { Content } from '../../chat/content.ts';
import type { UserMessage } from '../../chat/message.ts';
import { textOfUser } from '../retrieval/text-of-user.ts';
import { guardrailChain, guardrailName, type GuardrailWatch, type Judged } from './guardrail-chain.ts';
import { InputGuardrailError } from './guardrail-errors.ts';
import type { InputGuardrail, InputGuardrailRequest } from './guardrail.ts';

export type InputGuardrailOutcome =
  /** The message is the same object unless a guardrail has rewritten it. */
  | { readonly type: 'success'; readonly userMessage: UserMessage }
  /** With an `InputGuardrailError`, or a `ConfigurationError` when a guardrail returned what it must not. */
  | { readonly type: 'failed'; readonly error: Error };

/** Lets the guardrails judge the user's message, one after the other; emits one outcome, and never errors. */
export function runInputGuardrails(
  guardrails: readonly InputGuardrail[],
  { userMessage, ...request }: Omit<InputGuardrailRequest, 'text'>,
  watch: GuardrailWatch<UserMessage>,
): Observable<InputGuardrailOutcome> {
  const chain = {
    kind: 'input' as const,
    guardrails: guardrails.map((guardrail, place) => ({
      name: guardrailName(guardrail, 'inputGuardrails', place),
      judge: (subject: UserMessage) => guardrail({ ...request, userMessage: subject, text: textOfUser(subject) }),
    })),
    rewritten: withText,
  };
  return guardrailChain(chain, userMessage, watch).pipe(map(outcome));
}

function outcome({ subject, failures, misuse }: Judged<UserMessage>): InputGuardrailOutcome {
  if (failures.length === 0) return { type: 'success', userMessage: subject };
  return { type: 'failed', error: misuse ?? new InputGuardrailError(failures) };
}

/** The new text stands where the first text was, and the other texts are gone; media stays. */
function withText(userMessage: UserMessage, text: string): UserMessage {
  const { contents } = userMessage;
  const first = Math.max(
    contents.findIndex(({ type }) => type === 'text'),
    0,
  );
  const isMedia = ({ type }: Content) => type !== 'text';
  const rewritten: Content = { type: 'text', text };
  return {
    ...userMessage,
    contents: [...contents.slice(0, first).filter(isMedia), rewritten, ...contents.slice(first).filter(isMedia)],
  };
}
