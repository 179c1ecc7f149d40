import type { ApprovalDecision } from '../service/options.ts';
import { messageOf } from '../tool/tool-errors.ts';
import { decisionOf } from './decision-of.ts';
import type { AgUiInput } from './from-ag-ui-input.ts';
import type { LiveRun } from './live-run.ts';
import type { AgUiResume } from './run-agent-input.ts';

/** What is to be done for an input. */
export type ResumePlan =
  | { readonly type: 'ask'; readonly abandoned?: LiveRun }
  | { readonly type: 'resume'; readonly live: LiveRun; readonly decisions: ReadonlyMap<string, ApprovalDecision> }
  /** What was cancelled is gone anyway. */
  | { readonly type: 'nothing' }
  | { readonly type: 'refuse'; readonly code: string; readonly message: string };

/** Holds an input against what waits on its thread, by the rules of the protocol: all interrupts of a run are answered at once, before anything is asked. */
export function resumePlan({ input, resume }: AgUiInput, waiting: readonly LiveRun[]): ResumePlan {
  if (resume.length === 0) return waiting.length === 0 ? { type: 'ask' } : unanswered(waiting.flatMap(idsOf));
  const answered = new Set(resume.map(({ interruptId }) => interruptId));
  if (answered.size < resume.length) return refusal('invalidAnswer', 'An interrupt is answered twice.');
  const [live, ...others] = waiting.filter((candidate) => idsOf(candidate).some((id) => answered.has(id)));
  if (others.length > 0) return refusal('invalidAnswer', 'The interrupts are of several runs: answer each run for itself.');
  const isAbandoned = resume.every(({ status }) => status === 'cancelled');
  const open = live ? idsOf(live) : [];
  const gone = [...answered].filter((id) => !open.includes(id));
  if (gone.length > 0 && !isAbandoned) return goneFor(gone);
  const left = open.filter((id) => !answered.has(id));
  if (left.length > 0) return unanswered(left);
  if (isAbandoned && input) return { type: 'ask', ...(live && { abandoned: live }) };
  if (!live) return { type: 'nothing' };
  if (input)
    return refusal(
      'invalidInput',
      'A run that answers an interrupt can ask no question: send the question when the run has ended.',
    );
  return decided(live, resume);
}

function decided(live: LiveRun, resume: readonly AgUiResume[]): ResumePlan {
  try {
    return { type: 'resume', live, decisions: new Map(resume.map((entry) => [entry.interruptId, decisionOf(entry)])) };
  } catch (error) {
    return refusal('invalidAnswer', messageOf(error));
  }
}

const idsOf = (live: LiveRun): readonly string[] => live.interrupts().map(({ id }) => id);

const refusal = (code: string, message: string): ResumePlan => ({ type: 'refuse', code, message });

const unanswered = (ids: readonly string[]): ResumePlan =>
  refusal('interruptsPending', `The thread waits for an answer to ${ids.join(', ')}: resolve or cancel all of them first.`);

const goneFor = (ids: readonly string[]): ResumePlan =>
  refusal(
    'interruptGone',
    `Nothing waits here for an answer to ${ids.join(', ')} any more: it was answered, its time is up, or it waits in another process. Ask again.`,
  );
