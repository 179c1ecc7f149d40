import { Observable, type Subscription } from 'rxjs';
import { subscribeEarly } from '../chat/subscribe-early.ts';

/**
 * Subscribes to the Observables that a generator yields, one after the other, and asks for the next when one has completed.
 *
 * A stage that completes while it is being subscribed to would call for the next from inside itself, and ten thousand
 * synchronous rounds would overflow the stack. So a completion only notes that there is more to do when the loop is
 * already turning, and the loop does it.
 *
 *     yields  a: -1-2|   b: -3|
 *     result  -1-2-3|
 */
export function inSequence<T>(stages: () => Iterator<Observable<T>, void>): Observable<T> {
  return new Observable<T>((subscriber) => {
    const remaining = stages();
    let current: Subscription | undefined;
    let isTurning = false;
    let isNextDue = true;
    const stage = {
      next: (item: T) => subscriber.next(item),
      error: (error: unknown) => subscriber.error(error),
      complete: () => {
        isNextDue = true;
        turn();
      },
    };
    const turn = () => {
      if (isTurning) return;
      isTurning = true;
      while (isNextDue && !subscriber.closed) {
        isNextDue = false;
        const { done, value } = remaining.next();
        if (done) subscriber.complete();
        else subscribeEarly(value, stage, (subscription) => (current = subscription));
      }
      isTurning = false;
    };
    subscriber.add(() => current?.unsubscribe());
    turn();
  });
}
