import type { Observable } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';
import { drawMarbles, parseMarbles, type Mark } from './marbles.ts';

/** What a source did, frame by frame. Complete when `runMarbles` has returned. */
export interface Recording<T> {
  readonly values: readonly T[];
  readonly error: unknown;
  drawing(): string;
  /** Checked when time has run out; a failure draws what was expected and what came under each other. */
  toBe(marbles: string): Recording<T>;
}

export interface MarbleTools {
  /** Records the events of an invocation; `^--!` tells when to subscribe and when to leave. */
  events(source: Observable<AiServiceStreamingEvent>, subscription?: string): Recording<AiServiceStreamingEvent>;
  /** Records any source, each value drawn as the text that `symbol` gives it. */
  record<T>(source: Observable<T>, symbol?: (value: T) => string, subscription?: string): Recording<T>;
  /** Does something at a frame. */
  at(frame: number, action: () => void): void;
}

/**
 * Runs a test on virtual time, to its end. No real time passes in it.
 *
 * Events are drawn as: `t` a partial text, `~` a thought, `:` a piece of a call, `A` a complete call of the tool a, `<a` before and
 * `>a` after its execution, `*a` its progress, `%` an intermediate and `$` the final response, `@` a retry, `?` a raw item,
 * `=` retrieved contents, `!a` an approval asked for, `^a` an undone execution, `&` a restarted round.
 */
export function runMarbles(test: (tools: MarbleTools) => void): void {
  const checks: (() => void)[] = [];
  const scheduler = new TestScheduler(() => undefined);
  scheduler.run(({ flush }) => {
    const at = (frame: number, action: () => void) => scheduler.schedule(action, frame);
    const record: MarbleTools['record'] = (source, symbol = String, subscription = '^') => {
      const marks: Mark[] = [];
      const values: unknown[] = [];
      let failure: unknown;
      const mark = (text: string) => marks.push({ frame: scheduler.now(), symbol: text });
      const span = parseMarbles(subscription);
      const frameOf = (wanted: string) => span.find((found) => found.symbol === wanted)?.frame;
      at(frameOf('^') ?? 0, () => {
        const running = source.subscribe({
          next: (value) => {
            values.push(value);
            mark(symbol(value));
          },
          error: (error: unknown) => {
            failure = error;
            mark('#');
          },
          complete: () => mark('|'),
        });
        const end = frameOf('!');
        if (end !== undefined) at(end - scheduler.now(), () => running.unsubscribe());
      });
      const recording = {
        values: values as never[],
        get error() {
          return failure;
        },
        drawing: () => drawMarbles(marks),
        toBe(expected: string) {
          checks.push(() => compare(drawMarbles(marks), drawMarbles(parseMarbles(expected)), failure));
          return recording;
        },
      };
      return recording;
    };
    test({ record, events: (source, subscription) => record(source, eventSymbol, subscription), at });
    flush();
  });
  for (const check of checks) check();
}

function compare(actual: string, expected: string, failure: unknown): void {
  if (actual === expected) return;
  const reason =
    failure === undefined
      ? ''
      : `\n# is       ${failure instanceof Error ? `${failure.name}: ${failure.message}` : JSON.stringify(failure)}`;
  throw new Error(`The marbles differ:\nexpected   ${expected}\nactual     ${actual}${reason}`);
}

/** What is drawn of events that belong to no tool. */
const symbols = {
  partialThinking: '~',
  partialToolCall: ':',
  retrievedContents: '=',
  roundRestarted: '&',
  intermediateResponse: '%',
  finalResponse: '$',
  retry: '@',
  raw: '?',
} as const;

/** The symbol that an event is drawn as. */
function eventSymbol(event: AiServiceStreamingEvent): string {
  switch (event.type) {
    case 'partialResponse':
      return event.text;
    case 'completeToolCall':
      return event.request.name.charAt(0).toUpperCase();
    case 'toolApprovalRequested':
      return `!${event.request.name.charAt(0)}`;
    case 'beforeToolExecution':
      return `<${event.request.name.charAt(0)}`;
    case 'toolProgress':
      return `*${event.request.name.charAt(0)}`;
    case 'afterToolExecution':
      return `>${event.execution.request.name.charAt(0)}`;
    case 'toolCompensated':
      return `^${event.execution.request.name.charAt(0)}`;
    default:
      return symbols[event.type];
  }
}
