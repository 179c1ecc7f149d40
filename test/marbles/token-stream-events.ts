import { Observable } from 'rxjs';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import type { TokenStream } from '../../src/service/token-stream.ts';

/** Of each kind of event what it tells beside where it comes from. */
type Told = AiServiceStreamingEvent extends infer Event
  ? Event extends AiServiceStreamingEvent
    ? Omit<Event, 'invocation' | 'round'>
    : never
  : never;

/** What a token stream tells its callbacks, as the events that they stand for: it is drawn in the same symbols. */
export function tokenStreamEvents(stream: TokenStream): Observable<AiServiceStreamingEvent> {
  return new Observable((subscriber) => {
    // The callbacks do not tell which invocation it is, and no diagram needs to know.
    const tell = (event: Told) => subscriber.next(event as AiServiceStreamingEvent);
    const running = stream
      .onPartialThinking((text) => tell({ type: 'partialThinking', text }))
      .onPartialResponse((text) => tell({ type: 'partialResponse', text }))
      .onPartialToolCall((call) => tell({ type: 'partialToolCall', ...call }))
      .onRetrieved((contents) => tell({ type: 'retrievedContents', contents }))
      .onIntermediateResponse((response) => tell({ type: 'intermediateResponse', response }))
      .beforeToolExecution((request) => tell({ type: 'beforeToolExecution', request }))
      .onToolExecuted((execution) => tell({ type: 'afterToolExecution', execution }))
      .onCompleteResponse((response) => {
        tell({ type: 'finalResponse', response });
        subscriber.complete();
      })
      .onError((error) => subscriber.error(error))
      .start();
    return () => running.cancel();
  });
}
