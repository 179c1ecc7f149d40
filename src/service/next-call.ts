import type { Call } from './call.ts';

/**
 * Takes the first of the waiting calls that may run now: one that goes together with those that run and with those that
 * wait before it, so that nobody is overtaken by a call that would keep it waiting.
 */
export function nextCall(waiting: Call[], running: Iterable<Call>): Call | undefined {
  const before = [...running];
  for (const [place, call] of waiting.entries()) {
    if (!before.some((other) => conflict(call, other))) return waiting.splice(place, 1)[0];
    before.push(call);
  }
  return undefined;
}

function conflict({ tool: one }: Call, { tool: other }: Call): boolean {
  if (one?.execution === 'exclusive' || other?.execution === 'exclusive') return true;
  return one !== undefined && one === other && one.execution === 'sequential';
}
