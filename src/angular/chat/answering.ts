import { Observable } from 'rxjs';
import { InvocationCancelledError } from '../../service/service-errors.ts';
import type { Invocation } from '../../service/start-invocation.ts';
import type { AiServiceStreamingEvent } from '../../service/streaming-event.ts';
import { asError } from '../../tool/tool-errors.ts';

/** What there is to tell of an invocation: that it has begun, each event, and once how it ended. */
export type Happening<T> =
  | { readonly type: 'begun'; readonly invocation: Invocation<T> }
  | { readonly type: 'event'; readonly event: AiServiceStreamingEvent }
  | { readonly type: 'completed' | 'stopped' }
  | { readonly type: 'failed'; readonly error: Error };

/**
 * Runs an invocation while it is subscribed to, and tells what happens. To leave is to cancel.
 *
 * Emits nothing, and completes however the invocation ends, also where it could not begin. `inTurn` does a work before anything else.
 */
export function answering<T>(
  begin: () => Invocation<T>,
  tell: (happening: Happening<T>) => void,
  inTurn: (work: () => void) => void,
): Observable<never> {
  return new Observable<never>((subscriber) => {
    let hasEnded = false;
    const end = (happening: Happening<T>) => {
      if (hasEnded) return;
      hasEnded = true;
      // Whoever is told of the end may ask the next question: this one must be out of the way.
      inTurn(() => {
        tell(happening);
        subscriber.complete();
      });
    };
    let invocation: Invocation<T>;
    try {
      invocation = begin();
    } catch (error) {
      return end({ type: 'failed', error: asError(error) });
    }
    tell({ type: 'begun', invocation });
    const watching = invocation.events$.subscribe({
      next: (event) => tell({ type: 'event', event }),
      error: (error: unknown) =>
        end(error instanceof InvocationCancelledError ? { type: 'stopped' } : { type: 'failed', error: asError(error) }),
      complete: () => end({ type: 'completed' }),
    });
    return () => {
      watching.unsubscribe();
      if (hasEnded) return;
      hasEnded = true;
      invocation.cancel('The chat was stopped.');
      tell({ type: 'stopped' });
    };
  });
}
