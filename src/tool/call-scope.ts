import { Observable } from 'rxjs';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import { toolContext } from './tool-context.ts';
import type { ToolContext, ToolExecutionResult } from './types.ts';

/**
 * Runs one subscription's work under a context of its own, whose signal is aborted when that subscription is given up
 * before the work has ended. The controller is made only if the tool looks at its signal.
 *
 *     work         -----r|     the signal stays quiet
 *     unsubscribe  --!         the signal is aborted
 */
export function callScope(
  parent: ToolContext,
  work: (context: ToolContext) => Observable<ToolExecutionResult>,
): Observable<ToolExecutionResult> {
  return new Observable((subscriber) => {
    let controller: AbortController | undefined;
    let hasEnded = false;
    const abort = () => controller?.abort(parent.signal.aborted ? parent.signal.reason : undefined);
    const signal = () => {
      controller ??= new AbortController();
      if (subscriber.closed && !hasEnded) abort();
      return controller.signal;
    };
    const end =
      <T extends unknown[]>(notify: (...values: T) => void) =>
      (...values: T) => {
        hasEnded = true;
        notify(...values);
      };
    subscriber.add(() => hasEnded || abort());
    // The result ends the work as much as the completion does: a consumer may leave as soon as it has it.
    const observer = {
      next: end((result: ToolExecutionResult) => subscriber.next(result)),
      error: end((error: unknown) => subscriber.error(error)),
      complete: end(() => subscriber.complete()),
    };
    const context = toolContext(parent, (value) => parent.progress(value), signal);
    subscribeEarly(work(context), observer, (subscription) => subscriber.add(subscription));
  });
}
