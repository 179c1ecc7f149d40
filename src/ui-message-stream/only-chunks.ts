import { Observable, type Subscribable } from 'rxjs';
import { ConfigurationError } from '../chat/configuration-error.ts';
import { isObject } from '../chat/is-object.ts';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import { toObservable } from '../chat/value.ts';
import { checkValues } from '../sse-response/check-values.ts';
import { logError } from './log-error.ts';
import type { UiMessageChunk } from './ui-message-chunk.ts';

/** The chunks as they are; the events of a service, which hold its whole invocation, end in an error chunk instead. */
export function onlyChunks(where: string, chunks: Subscribable<UiMessageChunk>): Observable<UiMessageChunk> {
  checkValues(where, chunks);
  return new Observable((subscriber) => {
    const observer = {
      next(chunk: UiMessageChunk) {
        if (!isObject(chunk) || !('invocation' in chunk)) return subscriber.next(chunk);
        logError(`${where}:`, new ConfigurationError('These are events of a service: pipe them through toUiMessageStream().'));
        subscriber.next({ type: 'error', errorText: 'An error occurred.' });
        subscriber.complete();
      },
      error: (error: unknown) => subscriber.error(error),
      complete: () => subscriber.complete(),
    };
    subscribeEarly(toObservable(chunks), observer, (subscription) => subscriber.add(subscription));
  });
}
