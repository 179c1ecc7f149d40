import { take, type Observable, type Subscription } from 'rxjs';
import { difference, type Legend, type RecordedMark } from './difference.ts';
import { drawMarbles, parseMarbles } from './marbles.ts';

/** What a source did, frame by frame. Complete when time has run out. */
export interface Recording<T> {
  readonly values: readonly T[];
  readonly error: unknown;
  drawing(): string;
}

/** A recording that can be compared. */
export interface ComparedRecording<T> extends Recording<T> {
  /**
   * Checks the diagram when time has run out; a failure draws what was expected and what came under each other. A symbol
   * that is in the legend stands for a value of which at least that is so.
   */
  toBe(marbles: string, legend?: Legend): ComparedRecording<T>;
}

/** Something that records a source, each value as the symbol that it is given. */
export interface Recorder<T> extends Recording<T> {
  subscribe(source: Observable<T>): Subscription;
  /** Throws where the source emitted as if it had no end. */
  checkEnd(): void;
  /** Throws where the marks are not as the diagram wants them. */
  compare(marbles: string, legend?: Legend): void;
}

/** What emits more often than this in a test does not end by itself. */
const mostMarks = 100_000;

const endless = `The source has emitted ${mostMarks} times and does not end: leave it, as in expectEvents(source, '^----!').`;

export function recorder<T>(symbol: (value: T) => string, now: () => number): Recorder<T> {
  const marks: RecordedMark[] = [];
  const values: T[] = [];
  let failure: unknown;
  let hasEnded = false;
  const mark = (text: string, value?: unknown) => marks.push({ frame: now(), symbol: text, value });
  const end = (text: string, value?: unknown) => {
    hasEnded = true;
    mark(text, value);
  };
  return {
    values,
    get error() {
      return failure;
    },
    drawing: () => drawMarbles(marks),
    subscribe: (source) =>
      source.pipe(take(mostMarks)).subscribe({
        next: (value) => {
          values.push(value);
          mark(symbol(value), value);
        },
        error: (error: unknown) => {
          failure = error;
          end('#', error);
        },
        complete: () => end('|'),
      }),
    checkEnd() {
      if (values.length >= mostMarks) throw new Error(endless);
    },
    compare(marbles, legend = {}) {
      const found = difference(marks, parseMarbles(marbles), legend, hasEnded);
      if (found !== undefined) throw new Error(found);
    },
  };
}
