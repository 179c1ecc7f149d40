import { Observable, type OperatorFunction } from 'rxjs';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';
import type { UiMessageChunk } from './ui-message-chunk.ts';
import { uiMessageStreamSettings, type UiMessageStreamOptions } from './ui-message-stream-options.ts';
import { uiMessageWriter } from './ui-message-writer.ts';

/**
 * What happens in an invocation as the UI message stream of the AI SDK (version 6): what `useChat` and `readUIMessageStream` read. It never
 * errors: a failure is an `error` chunk, a cancel an `abort`, and then it completes.
 *
 * Throws a `ConfigurationError` on options that can't work.
 *
 *     events  t-----t-A---a|              t: text, A, a: a call and its end
 *     chunks  (s[<t)t(>A)-a(]f|)          s: start, [ ]: a step, < >: a text part, f: finish
 *
 * @example
 * assistant.stream('Hello').pipe(toUiMessageStream());
 */
export function toUiMessageStream(
  options: UiMessageStreamOptions = {},
): OperatorFunction<AiServiceStreamingEvent, UiMessageChunk> {
  const settings = uiMessageStreamSettings('toUiMessageStream', options);
  return (source) =>
    new Observable((subscriber) => {
      const writer = uiMessageWriter(settings, (chunk) => subscriber.next(chunk));
      const fail = (error: unknown) => {
        writer.fail(error);
        subscriber.complete();
      };
      const observer = {
        next(event: AiServiceStreamingEvent) {
          try {
            writer.write(event);
          } catch (error) {
            // Of a callback of the user; completing leaves the source.
            fail(error);
          }
        },
        error: fail,
        complete() {
          writer.end();
          subscriber.complete();
        },
      };
      writer.begin();
      subscribeEarly(source, observer, (subscription) => subscriber.add(subscription));
    });
}
