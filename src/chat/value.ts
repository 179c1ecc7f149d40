import {
  AsyncSubject,
  Observable,
  concatMap,
  defaultIfEmpty,
  from,
  ignoreElements,
  lastValueFrom,
  of,
  take,
  type Subscribable,
} from 'rxjs';

/** What every callback may return: the value itself, a promise of it, or an Observable (also of another RxJS copy). */
export type Value<T> = T | PromiseLike<T> | Subscribable<T>;

export const isSubscribable = (value: unknown): value is Subscribable<unknown> =>
  typeof (value as { subscribe?: unknown } | null | undefined)?.subscribe === 'function';

export const isPromiseLike = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function';

/**
 * Calls back at subscription and emits the one value that it returns (the first of an Observable); what it throws
 * becomes the error. A plain value is emitted at once, so that a pipeline without promises stays in virtual time.
 */
export function fromValue<T>(callback: () => Value<T>): Observable<T> {
  return new Observable<T>((subscriber) => {
    const value = callback();
    // Whoever has left while it was called wants nothing begun. A promise has begun, and its rejection must not go unheard.
    if (subscriber.closed && !isPromiseLike(value)) return undefined;
    const isAsync = isSubscribable(value) || isPromiseLike(value);
    if (isAsync)
      return toObservable(value)
        .pipe(take(1), defaultIfEmpty(undefined as T))
        .subscribe(subscriber);
    subscriber.next(value);
    return subscriber.complete();
  });
}

/** Calls back at subscription and completes when what it returns has completed; its values are dropped. */
export function fromTask(callback: () => Value<unknown>): Observable<never> {
  return new Observable<never>((subscriber) => {
    const value = callback();
    if (subscriber.closed && !isPromiseLike(value)) return undefined;
    return toObservable(value).pipe(ignoreElements()).subscribe(subscriber);
  });
}

/**
 * Goes on with a value at once, also where nobody subscribes: a plain value gives a plain one, a promise a promise, and an
 * Observable an Observable that is already running.
 */
export function thenValue<T, R>(value: Value<T>, next: (value: T) => Value<R>): Value<R> {
  if (isPromiseLike(value))
    return value.then((settled) => lastValueFrom(toObservable(next(settled)), { defaultValue: undefined as R }));
  if (!isSubscribable(value)) return next(value);
  const result = new AsyncSubject<R>();
  toObservable(value)
    .pipe(
      take(1),
      defaultIfEmpty(undefined as T),
      concatMap((settled) => toObservable(next(settled))),
    )
    .subscribe(result);
  return result.asObservable();
}

/** A value, promise or Observable as an Observable of this RxJS. */
export function toObservable<T>(value: Value<T>): Observable<T> {
  if (value instanceof Observable) return value as Observable<T>;
  // `from` insists on Symbol.observable, which the Subscribables of other libraries need not have.
  if (isSubscribable(value)) return new Observable((subscriber) => value.subscribe(subscriber));
  if (isPromiseLike(value)) return from(value);
  return of(value);
}
