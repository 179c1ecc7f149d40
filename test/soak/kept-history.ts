import type { ChatMessage } from '../../src/chat/message.ts';
import { keptTextViolations } from './kept-texts.ts';
import type { Ledger } from './ledger.ts';
import type { MemoryPlan } from './plan.ts';

/** What is wrong with what a memory has kept of an invocation that asked `question`. */
export function keptViolations(
  messages: readonly ChatMessage[],
  { window, store }: MemoryPlan,
  question: string,
  ledger: Ledger,
): readonly string[] {
  const { runs, ends } = ledger;
  const asked = messages.filter(
    (message) => message.role === 'user' && JSON.stringify(message.contents).includes(`"${question}"`),
  ).length;
  const violations = asked > 1 ? [`${question} is kept ${asked} times`] : [];
  // A window lets go of what is old, and a store that fails may have kept nothing.
  if (window !== 'roomy' || store === 'failing') return violations;
  const ids = messages.flatMap((message) =>
    message.role === 'assistant' ? message.toolExecutionRequests.map(({ id }) => id) : [],
  );
  for (const { callId, tool } of runs)
    if (!ids.includes(callId)) violations.push(`${tool} has run, and its call ${callId} is not kept`);
  const isCompleted = ends.at(-1)?.ending === 'completed';
  const mustBeKept = runs.length > 0 || isCompleted;
  if (mustBeKept && asked === 0) violations.push(`${question} is not kept`);
  return isCompleted ? [...violations, ...keptTextViolations(messages, ledger)] : violations;
}
