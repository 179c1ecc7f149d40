import { Observable, type Observer, type Subscription } from 'rxjs';

/**
 * Subscribes, and hands out the subscription before the source can emit: a consumer that leaves during a synchronous
 * emission then stops the source at once, and not after it has run to its end.
 */
export function subscribeEarly<T>(
  source: Observable<T>,
  observer: Partial<Observer<T>>,
  onSubscription: (subscription: Subscription) => void,
): void {
  new Observable<T>((subscriber) => {
    onSubscription(subscriber);
    // Handed to somebody who has left already: nothing may begin.
    return subscriber.closed ? undefined : source.subscribe(subscriber);
  }).subscribe(observer);
}
