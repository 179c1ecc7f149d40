import type { Call } from './call.ts';

/**
 * Takes the first of the waiting calls that may run now: one that goes together with those that run and with those that
 * wait before it, so that nobody is overtaken by a call that would keep it waiting.
 */
export function nextCall(waiting: Call[], running: ReadonlyMap<Call, unknown>): Call | undefined {
  // Nothing is before the first.
  if (running.size === 0) return waiting.shift();
  const before = [...running.keys()];
  for (const [place, call] of waiting.entries()) {
    if (!before.some((other) => conflict(call, other))) return waiting.splice(place, 1)[0];
    before.push(call);
  }
  return undefined;
}

function conflict({ tool: one }: Call, { tool: other, instead }: Call): boolean {
  // Its tool does not run.
  if (instead) return false;
  if (one?.execution === 'exclusive' || other?.execution === 'exclusive') return true;
  return one !== undefined && one === other && one.execution === 'sequential';
}
