import type { Subscriber, Subscription } from 'rxjs';
import type { Call } from './call.ts';
import type { Run } from './run.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';

/** The calls of one round, from the first word of the model to the last result: what `take-call` and `start-calls` work on. */
export interface RoundCalls {
  readonly run: Run;
  readonly round: number;
  readonly subscriber: Subscriber<AiServiceStreamingEvent>;
  /** Told whenever a call has ended. */
  readonly onEnd: () => void;
  /** By their places in the turn. */
  readonly byIndex: Map<number, Call>;
  /** The ids given so far, by place, and all of them. */
  readonly ids: Map<number, string>;
  readonly takenIds: Set<string>;
  /** Those that wait for an approval. */
  readonly asking: Map<Call, Subscription>;
  /** Those that wait for their turn, in order. */
  readonly waiting: Call[];
  readonly running: Map<Call, Subscription>;
  /** No further call starts. */
  isClosed: boolean;
  isStarting: boolean;
  /** All are being stopped: the round is not over before the last of them. */
  isStopping: boolean;
  /** For whoever waits for the calls that were left running. */
  onSettled: (() => void) | undefined;
}

export function roundCalls(run: Run, subscriber: Subscriber<AiServiceStreamingEvent>, onEnd: () => void): RoundCalls {
  return {
    run,
    round: run.gathered.round,
    subscriber,
    onEnd,
    byIndex: new Map(),
    ids: new Map(),
    takenIds: new Set(),
    asking: new Map(),
    waiting: [],
    running: new Map(),
    isClosed: false,
    isStarting: false,
    isStopping: false,
    onSettled: undefined,
  };
}

/** The id of the call at this place of the turn, unique in the history, whatever the provider gave it. */
export function idAt({ run, ids, takenIds }: RoundCalls, index: number, providerId: string): string {
  const known = ids.get(index);
  if (known !== undefined) return known;
  const isTaken = (id: string) => takenIds.has(id) || run.conversation.callIds().has(id);
  let id = providerId;
  // A generator may be a constant in somebody's test: the attempt makes its ids differ.
  for (let attempt = 1; !id || isTaken(id); attempt++) id = run.settings.idGenerator() + (attempt > 1 ? `-${attempt}` : '');
  takenIds.add(id);
  ids.set(index, id);
  return id;
}

/** In request order. */
export function listCalls({ byIndex }: RoundCalls): readonly Call[] {
  if (byIndex.size < 2) return [...byIndex.values()];
  return [...byIndex].sort(([one], [other]) => one - other).map(([, call]) => call);
}

/** Whether nothing runs and nothing will. */
export function isIdle({ running, isClosed, isStopping, waiting, asking }: RoundCalls): boolean {
  return !isStopping && running.size === 0 && (isClosed || (waiting.length === 0 && asking.size === 0));
}
