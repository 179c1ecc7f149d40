import { Observable, asyncScheduler, type Subscription } from 'rxjs';

/** What happens at a frame of a marble diagram: one frame is one millisecond. */
export interface Mark {
  readonly frame: number;
  /** `|` completes, `#` errors, all else is a value. */
  readonly symbol: string;
}

/** A time with blanks around it, a symbol with the letter of its tool, or one character. */
const tokenForm = /(?<=^|\s)\d+(?:\.\d+)?(?:ms|s|m)(?=\s|$)|[<>*!^]\w|\S/gu;

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/**
 * Reads a marble diagram. `-` is one frame, `12ms` is twelve (with blanks around it; `2s` and `1m` likewise); blanks are nothing.
 * A group takes one frame, however much is in it: unlike RxJS' own diagrams, in which what follows a group has to wait for its
 * letters. Throws an Error on a bracket that has no other.
 *
 *     -t-(A<a)-->a|     t at 1, A and <a at 3, >a at 6, the end at 7
 */
export function parseMarbles(marbles: string): readonly Mark[] {
  if (typeof marbles !== 'string') throw new Error(`A marble diagram is a text, not ${typeof marbles}.`);
  const marks: Mark[] = [];
  let frame = 0;
  let isInGroup = false;
  for (const token of marbles.match(tokenForm) ?? []) {
    const [, count, unit] = /^([\d.]+)(ms|s|m)$/.exec(token) ?? [];
    if (unit !== undefined) {
      frame += Math.round(Number(count) * units[unit]!);
    } else if (token === '(' || token === ')') {
      if (isInGroup === (token === '(')) throw new Error(`The diagram ${marbles} has a ${token} without the other bracket.`);
      isInGroup = !isInGroup;
      if (!isInGroup) frame++;
    } else {
      if (token !== '-') marks.push({ frame, symbol: token });
      if (!isInGroup) frame++;
    }
  }
  if (isInGroup) throw new Error(`The diagram ${marbles} has a ( without the other bracket.`);
  return marks;
}

/** The diagram of marks, in the same notation; a gap that is longer than so many frames is told as `30ms`. */
export function drawMarbles(marks: readonly Mark[], longestGap = 20): string {
  let drawing = '';
  let frame = 0;
  for (let i = 0; i < marks.length;) {
    const at = marks[i]!.frame;
    const together = marks.slice(i).filter((mark) => mark.frame === at);
    const symbols = together.map(({ symbol }) => symbol).join('');
    drawing += gap(at - frame, longestGap) + (together.length > 1 ? `(${symbols})` : symbols);
    frame = at + 1;
    i += together.length;
  }
  return drawing;
}

function gap(frames: number, longest: number): string {
  return frames > longest ? ` ${frames}ms ` : '-'.repeat(Math.max(0, frames));
}

/** What a symbol of a source stands for. */
export type Emission<T> = { readonly value: T } | { readonly error: unknown };

/** A cold Observable that follows a diagram, on virtual time within `runMarbles` and on real time elsewhere. */
export function marbleSource<T>(
  marbles: string,
  emission: (symbol: string) => Emission<T>,
  onComplete: () => readonly T[] = () => [],
): Observable<T> {
  const marks = parseMarbles(marbles);
  return new Observable<T>((subscriber) => {
    const happen = (symbol: string) => {
      if (symbol === '|') {
        for (const value of onComplete()) subscriber.next(value);
        return subscriber.complete();
      }
      const what = emission(symbol);
      if ('error' in what) subscriber.error(what.error);
      else subscriber.next(what.value);
    };
    let timer: Subscription | undefined;
    const from = (position: number, now: number) => {
      for (let i = position; i < marks.length && !subscriber.closed; i++) {
        const { frame, symbol } = marks[i]!;
        if (frame > now) {
          timer = asyncScheduler.schedule(() => from(i, frame), frame - now);
          return;
        }
        happen(symbol);
      }
    };
    subscriber.add(() => timer?.unsubscribe());
    from(0, 0);
  });
}
