import { Observable, Subscription, type Subscriber } from 'rxjs';
import { ConfigurationError } from '../chat/configuration-error.ts';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import { isPromiseLike, isSubscribable } from '../chat/value.ts';
import type { Invocation } from '../service/start-invocation.ts';
import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';
import type { UiDecision } from './from-ui-messages.ts';
import { openApprovals } from './open-approvals.ts';
import type { UiMessageChunk } from './ui-message-chunk.ts';
import type { UiMessageStreamSettings } from './ui-message-stream-options.ts';
import { uiMessageWriter } from './ui-message-writer.ts';

/** An invocation that is told in several responses: each ends where nothing goes on without the user. */
export interface UiConversation {
  /** The next response, for one subscriber. It starts the invocation, or decides on its calls; to leave it cancels the invocation. */
  response(decisions?: readonly UiDecision[]): Observable<UiMessageChunk>;
  isAwaited(decision: UiDecision): boolean;
  cancel(): void;
}

export interface UiConversationObserver {
  /** A response is about to end, and the invocation waits for the user. */
  onWaiting(): void;
  /** The invocation has ended, also while nobody was there: no response follows. */
  onEnded(): void;
}

export function uiConversation(
  start: () => Invocation<unknown>,
  settings: UiMessageStreamSettings,
  { onWaiting, onEnded }: UiConversationObserver,
): UiConversation {
  let invocation: Invocation<unknown> | undefined;
  const watching = new Subscription();
  const approvals = openApprovals();
  let response: Subscriber<UiMessageChunk> | undefined;
  /** What has happened while nobody was there. */
  const untold: UiMessageChunk[] = [];
  const writer = uiMessageWriter(settings, (chunk) => (response ? response.next(chunk) : void untold.push(chunk)));
  /** The invocation has ended, or nobody wants it any more. */
  let hasEnded = false;
  /** Several decisions are taken at once: what comes of the first is no reason to wait. */
  let isDeciding = false;

  const endResponse = () => {
    const ended = response;
    response = undefined;
    ended?.complete();
  };
  const end = (write: () => void) => {
    if (hasEnded) return;
    hasEnded = true;
    write();
    endResponse();
    onEnded();
  };
  const cancel = () => {
    hasEnded = true;
    watching.unsubscribe();
    invocation?.cancel();
  };
  const fail = (error: unknown) => end(() => writer.fail(error));
  const pauseIfAwaited = () => {
    if (hasEnded || isDeciding || !response || !approvals.areAwaited()) return;
    writer.pause();
    // Whoever has left meanwhile waits for nothing.
    if (!response) return;
    onWaiting();
    endResponse();
  };
  const observer = {
    next(event: AiServiceStreamingEvent) {
      if (hasEnded) return;
      try {
        writer.write(event);
      } catch (error) {
        // Of a callback of the user.
        fail(error);
        return cancel();
      }
      approvals.note(event);
      pauseIfAwaited();
    },
    error: fail,
    complete: () => end(() => writer.end()),
  };
  const begin = () => {
    try {
      invocation = checkedInvocation(start());
    } catch (error) {
      return fail(error);
    }
    // Left while it began.
    if (hasEnded) return cancel();
    subscribeEarly(invocation.events$, observer, (subscription) => watching.add(subscription));
  };
  const decide = (running: Invocation<unknown>, decisions: readonly UiDecision[]) => {
    isDeciding = true;
    for (const { toolCallId, approved, reason } of approvals.take(decisions))
      running.decideToolCall(toolCallId, { approved, ...(reason !== undefined && { reason }) });
    isDeciding = false;
    pauseIfAwaited();
  };

  return {
    response: (decisions = []) =>
      new Observable((subscriber) => {
        response = subscriber;
        subscriber.add(() => {
          if (response !== subscriber) return;
          // Left before its end.
          response = undefined;
          cancel();
        });
        writer.begin();
        for (const chunk of untold.splice(0)) subscriber.next(chunk);
        if (subscriber.closed) return;
        if (hasEnded) endResponse();
        else if (invocation) decide(invocation, decisions);
        else begin();
      }),
    isAwaited: approvals.isAwaited,
    cancel,
  };
}

function checkedInvocation(started: Invocation<unknown>): Invocation<unknown> {
  const { events$, cancel, decideToolCall } = Object(started) as Partial<Invocation<unknown>>;
  if (isSubscribable(events$) && typeof cancel === 'function' && typeof decideToolCall === 'function') return started;
  // Of an async function; it is not waited for.
  if (isPromiseLike(started)) started.then(undefined, () => undefined);
  throw new ConfigurationError(
    `uiApprovals: start is to return an Invocation, as assistant.start(message) does, not ${isPromiseLike(started) ? 'a promise' : 'something else (such as a stream)'}.`,
  );
}
