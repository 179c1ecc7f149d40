import type { Subscriber, Subscription } from 'rxjs';
import type { Call } from './call.ts';
import type { CallHandle } from './controls.ts';
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

/**
 * The id of the call at this place of the turn, whatever the provider gave it: unique in the history, and among the calls that can be
 * reached from outside, those of other services too.
 */
export function idAt(calls: RoundCalls, index: number, providerId: string): string {
  const { run, ids, takenIds } = calls;
  const known = ids.get(index);
  if (known !== undefined) return known;
  const handles = run.controls.calls;
  const isTaken = (id: string) => takenIds.has(id) || handles?.has(id) === true || run.conversation.callIds().has(id);
  let id = providerId;
  // A generator may be a constant in somebody's test: the attempt makes its ids differ.
  for (let attempt = 1; !id || isTaken(id); attempt++) id = run.settings.idGenerator() + (attempt > 1 ? `-${attempt}` : '');
  takenIds.add(id);
  ids.set(index, id);
  if (handles) {
    // From the first word on: another service may be writing a call with the same id.
    handles.set(id, unreachable);
    if (ids.size === 1) calls.subscriber.add(() => releaseIds(calls));
  }
  return id;
}

/** Nobody reaches the calls any more that have not ended: their ids are free. */
export function releaseIds({ run, ids, byIndex }: RoundCalls): void {
  for (const [index, id] of ids) if (!byIndex.get(index)?.execution) run.controls.calls?.delete(id);
  ids.clear();
}

/** A call that is still being written. */
const unreachable: CallHandle = { cancel: () => false, decide: () => false };

/** In request order. */
export function listCalls({ byIndex }: RoundCalls): readonly Call[] {
  if (byIndex.size < 2) return [...byIndex.values()];
  return [...byIndex].sort(([one], [other]) => one - other).map(([, call]) => call);
}

/** Whether nothing runs and nothing will. */
export function isIdle({ running, isClosed, isStopping, waiting, asking }: RoundCalls): boolean {
  return !isStopping && running.size === 0 && (isClosed || (waiting.length === 0 && asking.size === 0));
}
