import { Observable, from, map, of, reduce, tap } from 'rxjs';
import { thenStream } from '../chat/then-stream.ts';
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
  return callScope(parent, (context) => executed(execute, context));
}

function executed(execute: (context: ToolContext) => unknown, context: ToolContext): Observable<ToolExecutionResult> {
  return new Observable((subscriber) => {
    const returned = execute(context);
    // Whoever has left while it was called wants nothing begun.
    return subscriber.closed && isSubscribable(returned) ? undefined : outcome(returned, context).subscribe(subscriber);
  });
}

function outcome(returned: unknown, context: ToolContext): Observable<ToolExecutionResult> {
  if (isSubscribable(returned)) return lastOf(toObservable(returned), context);
  if (isAsyncIterable(returned)) return lastOf(from(returned), context);
  // A promise may well be of a stream: an async function that returns one.
  return isPromiseLike(returned) ? thenStream(from(returned), (value) => outcome(value, context)) : of(toolResult(returned));
}

function lastOf(values: Observable<unknown>, context: ToolContext): Observable<ToolExecutionResult> {
  return values.pipe(
    tap((value) => context.progress(value)),
    reduce<unknown, unknown>((_, value) => value, undefined),
    map(toolResult),
  );
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof (value as Partial<AsyncIterable<unknown>> | null | undefined)?.[Symbol.asyncIterator] === 'function';
}
