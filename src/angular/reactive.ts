import { DestroyRef, isSignal, untracked, type Injector, type Signal } from '@angular/core';
import { takeUntilDestroyed, toObservable } from '@angular/core/rxjs-interop';
import { EMPTY, Subject, defer, isObservable, merge, of, startWith, switchMap, type Observable } from 'rxjs';

/** Something that may change: a value, a signal, or an Observable. */
export type Reactive<V> = V | Signal<V> | Observable<V>;

/** Its values: a plain one at once, those of a signal when Angular runs its effects. */
export function valuesOf<V>(input: Reactive<V>, injector: Injector): Observable<V> {
  if (isSignal(input)) return toObservable(input, { injector });
  return isObservable(input) ? input : of(input);
}

/** The same, where nothing may be done with an older value: what a signal holds is told at once, and again by `refresh`. */
export function followed<V>(input: Reactive<V>, injector: Injector): { readonly value$: Observable<V>; refresh(): void } {
  const value$ = valuesOf(input, injector);
  if (!isSignal(input)) return { value$, refresh: () => undefined };
  const read$ = defer(() => {
    try {
      return of(untracked(input));
    } catch {
      // An input that is required and has not got its value: it will be told.
      return EMPTY;
    }
  });
  const refreshes = new Subject<void>();
  return {
    value$: merge(
      refreshes.pipe(
        startWith(undefined),
        switchMap(() => read$),
      ),
      value$,
    ),
    refresh: () => refreshes.next(),
  };
}

/** Its value now: of an Observable the last one, `undefined` before the first. Its errors go to `onError`. */
export function latestOf<V>(input: Reactive<V>, injector: Injector, onError: (error: unknown) => void): () => V | undefined {
  if (isSignal(input)) return () => untracked(input);
  if (!isObservable(input)) return () => input;
  let latest: V | undefined;
  input.pipe(takeUntilDestroyed(injector.get(DestroyRef))).subscribe({ next: (value) => (latest = value), error: onError });
  return () => latest;
}
