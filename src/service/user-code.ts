import { Observable } from 'rxjs';
import type { Run } from './run.ts';
import { subscribeEarly } from '../chat/subscribe-early.ts';

/**
 * Subscribes to the user's code in the context of the user's subscription, and comes out of it again with every
 * notification: what follows, such as the next round, is no part of that code.
 */
export function userCode<T>({ inContext, inUserCode }: Run, source: Observable<T>): Observable<T> {
  return new Observable<T>((subscriber) => {
    const observer = {
      next: (value: T) => inContext(() => subscriber.next(value)),
      error: (error: unknown) => inContext(() => subscriber.error(error)),
      complete: () => inContext(() => subscriber.complete()),
    };
    inUserCode(() => subscribeEarly(source, observer, (subscription) => subscriber.add(subscription)));
  });
}
