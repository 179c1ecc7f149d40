import { DestroyRef, effect, isSignal, untracked, type Injector, type Signal } from '@angular/core';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
import { Observable, Subject, isObservable, of } from 'rxjs';

/** Something that may change: a value, a signal, or an Observable. */
export type Reactive<V> = V | Signal<V> | Observable<V>;

export interface Followed<V> {
  readonly value$: Observable<V>;
  /** Tells of a signal's value now, which Angular's effects would tell later. */
  refresh(): void;
}

/**
 * Its values: a plain one at once, those of a signal when Angular runs its effects. A signal that throws goes to `onError`, and may have a
 * value later.
 */
export function valuesOf<V>(input: Reactive<V>, injector: Injector, onError: (error: unknown) => void): Observable<V> {
  if (!isSignal(input)) return isObservable(input) ? input : of(input);
  return new Observable((subscriber) => {
    const read = () => {
      const value = attempt(input, onError);
      untracked(() => value && subscriber.next(value.value));
    };
    // What it calls may be called within another effect, which is not to depend on it.
    const watching = untracked(() => effect(read, { injector, manualCleanup: true }));
    const destroyed = injector.get(DestroyRef).onDestroy(() => subscriber.complete());
    return () => {
      watching.destroy();
      destroyed();
    };
  });
}

/** The same, where nothing may be done with an older value: what a signal holds is told at once, too. */
export function followed<V>(input: Reactive<V>, injector: Injector, onError: (error: unknown) => void): Followed<V> {
  if (!isSignal(input)) return { value$: valuesOf(input, injector, onError), refresh: () => undefined };
  const refreshes = new Subject<V>();
  // An input that is required has no value before it is bound: that is no error yet.
  const refresh = () => {
    const now = untracked(() => attempt(input, () => undefined));
    if (now) refreshes.next(now.value);
  };
  const value$ = new Observable<V>((subscriber) => {
    subscriber.add(refreshes.subscribe(subscriber));
    refresh();
    subscriber.add(valuesOf(input, injector, onError).subscribe(subscriber));
  });
  return { value$, refresh };
}

/** Its value now: of an Observable the last one, `undefined` before the first. Its errors go to `onError`. */
export function latestOf<V>(input: Reactive<V>, injector: Injector, onError: (error: unknown) => void): () => V | undefined {
  if (isSignal(input)) return () => untracked(input);
  if (!isObservable(input)) return () => input;
  let latest: V | undefined;
  input.pipe(takeUntilDestroyed(injector.get(DestroyRef))).subscribe({ next: (value) => (latest = value), error: onError });
  return () => latest;
}

function attempt<V>(read: () => V, onError: (error: unknown) => void): { readonly value: V } | undefined {
  try {
    return { value: read() };
  } catch (error) {
    onError(error);
    return undefined;
  }
}
