import type { Run } from './run.ts';

/** The ids of the calls of one round. */
export interface CallIds {
  /** The id of the call at this place of the turn: the provider's own where it gave one that is unique in the history. */
  at(index: number, providerId: string): string;
}

export function callIds(run: Run): CallIds {
  const known = new Map<number, string>();
  const taken = new Set<string>();
  const isTaken = (id: string) => taken.has(id) || run.conversation.callIds().has(id);
  return {
    at(index, providerId) {
      const given = known.get(index);
      if (given !== undefined) return given;
      let id = providerId;
      // A generator may be a constant in somebody's test: the attempt makes its ids differ.
      for (let attempt = 1; !id || isTaken(id); attempt++) id = run.settings.idGenerator() + (attempt > 1 ? `-${attempt}` : '');
      taken.add(id);
      known.set(index, id);
      return id;
    },
  };
}
