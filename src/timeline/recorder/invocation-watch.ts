import type { TapObserver } from 'rxjs';
import type { AiServiceEvent } from '../../event/ai-service-event.ts';
import type { AiServiceStreamingEvent } from '../../service/streaming-event.ts';
import { quietly } from '../../tool/quietly.ts';
import type { InvocationContext } from '../../tool/invocation-context.ts';
import type { Timeline } from '../timeline.ts';
import { end, newDraft } from './draft.ts';
import { ownerOf, type Heard } from './owner-of.ts';
import { recordServiceEvent } from './record-service-event.ts';
import { recordStreamEvent } from './record-stream-event.ts';

/** Decides what belongs to the invocation that is recorded, and at which time it came. */
export interface InvocationWatch {
  /** The right to tell of it from now on; nothing where another subscription has it, or the invocation is over. */
  claim(): Partial<TapObserver<AiServiceStreamingEvent>> | undefined;
  /** Hears the events of the service, among them those of other invocations. */
  readonly hearing: Partial<TapObserver<AiServiceEvent>>;
  hasBegun(): boolean;
  timeline(): Timeline;
}

interface WatchOptions {
  readonly now: () => number;
  readonly maxText: number;
  readonly invocationId: string | undefined;
  readonly onChange: () => void;
}

/** How many events wait at most until the stream has told whose they are. */
const mostPending = 1000;

export function invocationWatch({ now, maxText, invocationId: given, onChange }: WatchOptions): InvocationWatch {
  let draft = newDraft(maxText, given);
  /** The time of the clock at 0 of the timeline. */
  let start: number | undefined;
  let isClaimed = false;
  let wasClaimed = false;
  /** It is known whose events to take. What was only heard of gives way to what is watched. */
  let isCertain = given !== undefined;
  /** How many subscriptions hear the events of the service. */
  let listeners = 0;
  /** What was heard before the stream has told which invocation it is. */
  const pending: Heard[] = [];

  // A clock may be set back.
  const at = (time = now()) => Math.max(draft.lastAt, time - (start ?? 0));
  const change = (write: () => void) => {
    // Whatever an event carries: who looks on must not break what is looked at.
    quietly(write);
    onChange();
  };
  /** Foreign events, such as those of a test, may have no invocation. */
  const isOurs = (invocation: InvocationContext | undefined) => invocation?.invocationId === draft.timeline.invocationId;
  const identify = ({ invocationId, serviceName }: InvocationContext) => {
    draft.timeline.invocationId = invocationId;
    if (serviceName !== undefined) draft.timeline.serviceName ??= serviceName;
  };
  const takePending = () => {
    for (const { time, event } of pending.splice(0)) if (isOurs(event.invocation)) recordServiceEvent(draft, event, at(time));
  };
  /** The stream tells whose it is: what was heard of another one is forgotten. */
  const ascertain = (invocation: InvocationContext, claimedAt: number) => {
    if (draft.timeline.invocationId !== undefined && !isOurs(invocation)) {
      draft = newDraft(maxText);
      start = claimedAt;
    }
    isCertain = true;
    identify(invocation);
    takePending();
  };
  /** The stream has ended without a word: what was heard may tell whose it was. */
  const takeLeft = (error: unknown, claimedAt: number) => {
    const owner = isCertain ? undefined : ownerOf(pending, error);
    if (owner) ascertain(owner, claimedAt);
    else takePending();
  };

  const claim = () => {
    // Only a failed invocation goes on with another subscription.
    if (isClaimed || (wasClaimed && draft.timeline.status !== 'failed')) return undefined;
    isClaimed = true;
    wasClaimed = true;
    const claimedAt = now();
    start ??= claimedAt;
    onChange();
    let hasOurs: boolean | undefined;
    const finish = (status: Timeline['status'], error?: unknown) => {
      isClaimed = false;
      if (pending.length > 0) change(() => takeLeft(error, claimedAt));
      // To stop watching what `start()` has begun is no cancel: where the service is listened to, it tells what is.
      const isToldElsewhere = status === 'cancelled' && listeners > 0 && draft.timeline.invocationId !== undefined;
      if (hasOurs === false || isToldElsewhere || draft.timeline.status !== 'running') return;
      change(() => end(draft, status, at(), error));
    };
    return {
      next(event: AiServiceStreamingEvent) {
        const { invocation } = event;
        if (!isCertain) change(() => ascertain(invocation, claimedAt));
        hasOurs ||= isOurs(invocation);
        if (!isOurs(invocation)) return;
        change(() => {
          if (draft.timeline.serviceName === undefined) identify(invocation);
          recordStreamEvent(draft, event, at());
        });
      },
      error: (error: unknown) => finish(isCancellation(error) ? 'cancelled' : 'failed', error),
      complete: () => finish('completed'),
      unsubscribe: () => finish('cancelled'),
    };
  };
  const hear = (event: AiServiceEvent) => {
    const { invocation, type } = event;
    if (isClaimed && !isCertain) {
      if (pending.length < mostPending) pending.push({ time: now(), event });
      return;
    }
    // One that is under way would be told without its beginning, and one whose stream has ended is told.
    const mayBegin = start === undefined && type === 'started' && draft.timeline.invocationId === undefined;
    if (!mayBegin && !isOurs(invocation)) return;
    start ??= now();
    change(() => {
      identify(invocation);
      recordServiceEvent(draft, event, at());
    });
  };
  return {
    claim,
    hearing: { next: hear, subscribe: () => void listeners++, finalize: () => void listeners-- },
    hasBegun: () => start !== undefined,
    timeline() {
      const { timeline } = draft;
      const last = timeline.status === 'running' && start !== undefined ? at() : (timeline.end ?? 0);
      timeline.duration = Math.max(last, draft.lastAt);
      // What follows must not change what was handed out.
      return JSON.parse(JSON.stringify(timeline)) as Timeline;
    },
  };
}

/** The service's own word for it: other code's `AbortError` is a failure. */
function isCancellation(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError' && 'partial' in error;
}
