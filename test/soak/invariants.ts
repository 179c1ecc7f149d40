import { getEventListeners } from 'node:events';
import type { Client } from './fault-server.ts';
import type { Ending, Ledger, ToolRun } from './ledger.ts';
import type { InvocationPlan, Plan } from './plan.ts';

/** One invocation when it has ended, with all that is known of it. */
export interface Ended {
  readonly plan: InvocationPlan;
  readonly ledger: Ledger;
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** What does not hold of an invocation that has ended. Some of it may be only not yet so: undoing goes on behind an unsubscribe. */
export function brokenInvariants(ended: Ended, plan: Plan): readonly string[] {
  const { ledger, client, signal } = ended;
  return [
    ...ledger.violations,
    ...client.violations,
    ...ledger.runs
      .filter((run) => run.outcome === 'running' && !run.signal.aborted)
      .map(({ tool }) => `${tool} still runs, and was not cancelled`),
    ...ledger.runs.flatMap((run) => undoViolation(run, ended, plan) ?? []),
    ...endViolations(ledger),
    ...client.served.flatMap(({ isOpen, fault }, place) => (isOpen ? [`request ${place} (${fault.type}) is still open`] : [])),
    ...(getEventListeners(signal, 'abort').length === 0 ? [] : ['a listener is left on the signal']),
  ];
}

/** Which endings a subscriber can have been told of where the events tell of this one. */
const told: Readonly<Record<Ending, readonly Ledger['notified'][number][]>> = {
  // Whoever leaves once the answer is out cancels nothing.
  completed: ['completed', 'left'],
  error: ['error'],
  cancelled: ['cancelled', 'left'],
};

function endViolations({ notified, ends, summaries, starts }: Ledger): readonly string[] {
  const endings = ends.map(({ ending }) => ending);
  const fits = endings.length === notified.length && endings.every((ending, place) => told[ending].includes(notified[place]!));
  return [
    ...(fits
      ? []
      : [`the events tell of ${endings.join(', ') || 'no end'}, and the subscribers of ${notified.join(', ') || 'none'}`]),
    ...(summaries === endings.length ? [] : [`${summaries} summaries of ${endings.length} ends`]),
    ...(starts === 1 ? [] : [`it was said ${starts} times that it had started`]),
  ];
}

/** What is wrong with how often an execution was undone. */
function undoViolation(run: ToolRun, { ledger, plan: { mode, meddles } }: Ended, plan: Plan): string | undefined {
  // Nobody waits for ever for a tool that is late when its call, or the invocation, is given up before its time is up.
  const isGivenUp = (mode === 'start' && meddles) || ledger.ends.some(({ ending }) => ending === 'cancelled');
  const mayBeGivenUp = (run.isLate && isGivenUp) || run.isTooLate;
  const [wantedLeast, most] = wantedUndos(run, ledger, plan);
  const least = mayBeGivenUp ? 0 : wantedLeast;
  if (run.undos >= least && run.undos <= most) return undefined;
  const wanted = least === most ? `${least}` : `${least} or ${most}`;
  return `${run.tool} (${run.callId}) has ${run.outcome} in round ${run.round} and was undone ${run.undos} times instead of ${wanted}`;
}

/** How often an execution has to be undone, at the least and at the most. */
function wantedUndos(run: ToolRun, { rounds, ends }: Ledger, { service }: Plan): readonly [least: number, most: number] {
  if (!service.compensateOnToolErrors || !run.isUndoable || run.outcome !== 'succeeded') return [0, 0];
  const end = ends.find((candidate) => candidate.rounds >= run.round);
  if (end?.ending === 'completed') {
    const blamed = rounds.slice(run.round - 1, end.rounds).map(({ hasCulprit }) => hasCulprit);
    if (blamed.includes(true)) return [1, 1];
    return blamed.includes('maybe') ? [0, 1] : [0, 0];
  }
  return [1, 1];
}
