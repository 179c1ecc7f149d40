import { Observable, defaultIfEmpty, from, map, takeLast, tap, type Subscriber } from 'rxjs';
import { isPromiseLike, isSubscribable, toObservable } from '../chat/value.ts';
import { callScope } from './call-scope.ts';
import { toolResult } from './tool-result.ts';
import type { ToolContext, ToolExecutionResult } from './types.ts';

/**
 * Calls a tool's function and turns whatever it returns into one result.
 *
 *     Observable  --p--q--r|     progress p, q, r as they come
 *     result      ---------(r|)
 */
export function runExecute(execute: (context: ToolContext) => unknown, parent: ToolContext): Observable<ToolExecutionResult> {
  return callScope(
    parent,
    (context) =>
      new Observable((subscriber) => {
        const returned = execute(context);
        // Whoever has left while it was called wants nothing begun.
        if (!subscriber.closed || !isSubscribable(returned)) settle(returned, context, subscriber);
      }),
  );
}

/** By hand, where `map` and `concatMap` would do: a promise of a value is what nearly every tool returns. */
function settle(returned: unknown, context: ToolContext, subscriber: Subscriber<ToolExecutionResult>): void {
  if (isSubscribable(returned)) lastOf(toObservable(returned), context).subscribe(subscriber);
  else if (isAsyncIterable(returned)) lastOf(from(returned), context).subscribe(subscriber);
  else if (isPromiseLike(returned)) {
    // It may well be of a stream: an async function that returns one.
    const next = (value: unknown) => {
      try {
        settle(value, context, subscriber);
      } catch (error) {
        // Thrown out of an observer it would be nobody's error, and the call would never end: a value may bear no look at it.
        subscriber.error(error);
      }
    };
    subscriber.add(from(returned).subscribe({ next, error: (error: unknown) => subscriber.error(error) }));
  } else {
    subscriber.next(toolResult(returned));
    subscriber.complete();
  }
}

function lastOf(values: Observable<unknown>, context: ToolContext): Observable<ToolExecutionResult> {
  return values.pipe(
    tap((value) => context.progress(value)),
    takeLast(1),
    defaultIfEmpty(undefined),
    map(toolResult),
  );
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof (value as Partial<AsyncIterable<unknown>> | null | undefined)?.[Symbol.asyncIterator] === 'function';
}
