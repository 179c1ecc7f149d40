import { isDistorted } from './distorted.ts';
import type { Ended } from './invariants.ts';
import type { Plan } from './plan.ts';

/** What is wrong with the text of an answer: it must be what the model has said in one of its turns, whole. */
export function answerViolations({ ledger, client }: Ended, { service }: Plan): readonly string[] {
  const { answer, isAnswerBent } = ledger;
  const isRewritten = isAnswerBent || service.guardrail || service.limits === 'duration';
  if (answer === undefined || isRewritten || isDistorted(client)) return [];
  // Not only the last one: the server need not see requests in the order in which they were sent.
  const said = client.served.map(({ turn }) => turn.text.join(''));
  return said.includes(answer ?? '')
    ? []
    : [`the answer is ${shown(answer)}, and the model has said ${said.map(shown).join(', ')}`];
}

const shown = (text: string | null): string => JSON.stringify(text?.slice(0, 200));
