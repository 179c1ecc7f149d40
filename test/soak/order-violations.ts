import type { ToolRun } from './ledger.ts';
import type { Plan } from './plan.ts';

/** What is wrong with a run that begins: with which others it may run at once is for its service, and for the tools, to say. */
export function crowdViolations(
  run: ToolRun,
  runs: readonly ToolRun[],
  { tools, service: { toolConcurrency } }: Pick<Plan, 'tools' | 'service'>,
): readonly string[] {
  const now = performance.now();
  // One that was stopped may go on, and counts no more.
  const beside = runs.filter(
    (other) => other !== run && other.outcome === 'running' && !other.signal.aborted && now < other.lateFrom,
  );
  const executionOf = ({ tool }: ToolRun) => tools.find(({ name }) => name === tool)?.execution;
  const isExclusive = [run, ...beside].some((one) => executionOf(one) === 'exclusive');
  const isTwice = executionOf(run) === 'sequential' && beside.some(({ tool }) => tool === run.tool);
  const others = beside.map(({ tool, callId }) => `${tool} (${callId})`).join(', ');
  return [
    ...(beside.length < (toolConcurrency ?? Infinity) ? [] : [`${run.tool} begins beside ${others}: those are too many at once`]),
    ...(beside.length > 0 && (isExclusive || isTwice) ? [`${run.tool} begins beside ${others}, with which it does not go`] : []),
  ];
}

/** What is wrong with undoing this run now: the last call is undone first, of those that have worked when it begins. */
export function undoOrderViolations(run: ToolRun, runs: readonly ToolRun[]): readonly string[] {
  // What was late is undone by itself, when it comes to its end.
  if (run.isLate || run.signal.aborted) return [];
  return runs
    .filter(
      ({ outcome, undos, isLate, signal, isUndoable }) =>
        isUndoable && outcome === 'succeeded' && undos === 0 && !isLate && !signal.aborted,
    )
    .filter((other) => other.round > run.round || (other.round === run.round && isLater(other, run)))
    .map((other) => `${run.tool} (${run.callId}) is undone before ${other.tool} (${other.callId}), which was called later`);
}

const isLater = ({ place: one }: ToolRun, { place: other }: ToolRun): boolean =>
  one !== undefined && other !== undefined && one > other;
