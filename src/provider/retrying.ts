import { Observable, type SchedulerLike, type Subscription } from 'rxjs';
import { ChatModelError } from '../chat/chat-model-error.ts';
import type { ChatModelEvent } from '../chat/chat-model.ts';
import { subscribeEarly } from '../chat/subscribe-early.ts';

export interface RetryPolicy {
  readonly maxRetries: number;
  readonly scheduler: SchedulerLike;
  /** From 0 up to, but not including, 1. */
  readonly random?: () => number;
}

/** ms before the first retry; doubled for each one after it, up to the longest. */
const firstDelay = 500;
const longestDelay = 8_000;

/**
 * Sends a request again that failed, as long as nothing of its answer has been emitted: what has gone out can't be taken back.
 *
 *     request  --#   --t-t|      after a delay of 4
 *     result   --r-----t-t|      r: retry
 */
export function retrying(
  request: Observable<ChatModelEvent>,
  { maxRetries, scheduler, random = Math.random }: RetryPolicy,
): Observable<ChatModelEvent> {
  return new Observable((subscriber) => {
    let current: Subscription | undefined;
    const attempt = (number: number) => {
      let hasEmitted = false;
      const observer = {
        next: (event: ChatModelEvent) => {
          // What has no place among the events, such as a gateway's greeting, is no part of the answer.
          hasEmitted ||= event.type !== 'raw';
          subscriber.next(event);
        },
        error: (error: unknown) => {
          if (hasEmitted || number > maxRetries || !isRetryable(error)) return subscriber.error(error);
          const delay = error.retryAfter ?? backoff(number, random());
          subscriber.next({ type: 'retry', attempt: number, delay, error });
          if (!subscriber.closed) current = scheduler.schedule(() => attempt(number + 1), delay);
        },
        complete: () => subscriber.complete(),
      };
      subscribeEarly(request, observer, (subscription) => (current = subscription));
    };
    subscriber.add(() => current?.unsubscribe());
    attempt(1);
  });
}

function isRetryable(error: unknown): error is ChatModelError {
  return error instanceof ChatModelError && error.retryable;
}

/** Jitter takes up to a quarter off, so that many clients don't come back at once. */
function backoff(attempt: number, random: number): number {
  return Math.round(Math.min(longestDelay, firstDelay * 2 ** (attempt - 1)) * (1 - random / 4));
}
