import type { Episode } from './episode.ts';

/** How often each thing was met, by what it is. */
export interface Tally {
  readonly counts: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly invocations: number;
  add(episode: Episode): void;
  /** A table for people. */
  table(): string;
}

export function newTally(): Tally {
  const counts = new Map<string, Map<string, number>>();
  let invocations = 0;
  const count = (what: string, which: string, times = 1) => {
    const row = counts.get(what) ?? new Map<string, number>();
    counts.set(what, row);
    row.set(which, (row.get(which) ?? 0) + times);
  };
  return {
    counts,
    get invocations() {
      return invocations;
    },
    add({ plan, invocations: ended }) {
      invocations += ended.length;
      for (const { provider, mode } of plan.invocations) {
        count('providers', provider);
        count('modes', mode);
      }
      for (const { ledger, client } of ended) {
        for (const { fault } of client.served) count('faults', fault.type === 'status' ? `${fault.status}` : fault.type);
        for (const how of ledger.notified) count('ends told', how);
        for (const { ending } of ledger.ends) count('end events', ending);
        for (const { outcome, undos } of ledger.runs) {
          count('tools', outcome);
          if (undos > 0) count('undos', 'undone', undos);
        }
      }
    },
    table: () =>
      [...counts]
        .map(([what, row]) => {
          const sorted = [...row].sort(([, one], [, other]) => other - one);
          return `${what.padEnd(12)}${sorted.map(([which, times]) => `${which} ${times}`).join('  ')}`;
        })
        .join('\n'),
  };
}
