import { Observable, filter, map, mergeMap } from 'rxjs';
import { isCut } from '../chat/is-cut.ts';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import { resultOf } from './epilogue.ts';
import type { DeepPartial } from './output/deep-partial.ts';
import type { OutputFormat } from './output/output-format.ts';
import type { Result } from './result.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';

/**
 * Every partial text as it streams, those beside tool calls included. Where the guardrails of the service hold the text back,
 * the final text in one piece.
 *
 *     events  -t-A-u--f|
 *     text    -t---u---|
 */
export function textView(events: Observable<AiServiceStreamingEvent>, isHeldBack: boolean): Observable<string> {
  if (isHeldBack) return events.pipe(mergeMap(finalText));
  return events.pipe(
    filter((event) => event.type === 'partialResponse'),
    map(({ text }) => text),
  );
}

function finalText(event: AiServiceStreamingEvent): readonly string[] {
  if (event.type !== 'finalResponse') return [];
  const { aiMessage, finishReason } = event.response;
  const { text, toolExecutionRequests } = aiMessage;
  // Beside calls that are the answer themselves, text is a preamble; one that was cut among its calls is an answer.
  const isAnswer = toolExecutionRequests.length === 0 || isCut(finishReason);
  return text && isAnswer ? [text] : [];
}

/**
 * One value, at the end.
 *
 *     events  -t-A-u--f|
 *     result  --------r|
 */
export function resultView<T>(events: Observable<AiServiceStreamingEvent>): Observable<Result<T>> {
  return events.pipe(
    filter((event) => event.type === 'finalResponse'),
    map((event) => resultOf(event) as Result<T>),
  );
}

/**
 * The answer's object as it grows, as the model writes it; the last one is checked and has what the schema adds.
 *
 *     events   -{---"a":-1-}--f|
 *     partial  -o--------o----o|
 */
export function partialView<T>(
  events: Observable<AiServiceStreamingEvent>,
  { reader }: OutputFormat,
): Observable<DeepPartial<T>> {
  return new Observable((subscriber) => {
    let reading = reader();
    let readRound = 0;
    let shown: unknown;
    const show = (value: unknown) => {
      if (value === undefined || value === shown) return;
      shown = value;
      subscriber.next(value as DeepPartial<T>);
    };
    const startOver = (round: number) => {
      reading = reader();
      readRound = round;
    };
    const observer = {
      next: (event: AiServiceStreamingEvent) => {
        if (event.type === 'roundRestarted') startOver(event.round);
        if (event.type === 'finalResponse') show(event.content);
        if (event.type !== 'partialResponse') return;
        if (event.round !== readRound) startOver(event.round);
        show(reading.push(event.text));
      },
      error: (error: unknown) => subscriber.error(error),
      complete: () => subscriber.complete(),
    };
    subscribeEarly(events, observer, (subscription) => subscriber.add(subscription));
  });
}
