import { Observable, of, throwError, type Subscription } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { subscribeEarly } from '../../src/chat/subscribe-early.ts';
import { thenStream } from '../../src/chat/then-stream.ts';
import { marbleSource } from '../../src/testing/marbles.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';

const letters = (marbles: string) =>
  marbleSource<string>(marbles, (symbol) => (symbol === '#' ? { error: new Error('broken') } : { value: symbol }));

describe('a stream that waits for one value', () => {
  it('begins when the value is there, and feeds the subscriber itself', () => {
    runMarbles(({ record }) => {
      record(thenStream(letters('--a|'), (value) => letters(`-${value}-b|`))).toBe('---a-b|');
    });
  });

  it('fails when the value fails, when it can not be made, and when it fails itself', () => {
    runMarbles(({ record }) => {
      record(thenStream(letters('--#'), () => letters('a|'))).toBe('--#');
      record(
        thenStream(letters('--a|'), (): Observable<string> => {
          throw new Error('no stream');
        }),
      ).toBe('--#');
      record(thenStream(of(1), () => throwError(() => new Error('broken')))).toBe('#');
      record(thenStream(of(1), () => letters('-a-#'))).toBe('-a-#');
    });
  });

  it('stops the value as well as the stream when it is left', () => {
    const left: string[] = [];
    const watched = (name: string, marbles: string) =>
      new Observable<string>((subscriber) => {
        subscriber.add(() => {
          left.push(name);
        });
        return letters(marbles).subscribe(subscriber);
      });
    runMarbles(({ record }) => {
      record(
        thenStream(watched('one', '-----a|'), () => watched('never begun', '')),
        String,
        '^--!',
      ).toBe('');
      record(
        thenStream(watched('two', 'a'), () => watched('stream', '-a-b-c')),
        String,
        '^--!',
      ).toBe('-a');
    });
    expect(left).toEqual(['one', 'stream', 'two']);
  });
});

describe('a subscription that is handed out before the source emits', () => {
  it('stops a synchronous source at once', () => {
    const seen: number[] = [];
    let subscription: Subscription | undefined;
    let emitted = 0;
    const source = new Observable<number>((subscriber) => {
      while (!subscriber.closed && emitted < 1000) subscriber.next(++emitted);
    });
    const next = (value: number) => {
      seen.push(value);
      if (value === 3) subscription!.unsubscribe();
    };
    subscribeEarly(source, { next }, (early) => {
      subscription = early;
    });
    expect(seen).toEqual([1, 2, 3]);
    expect(emitted).toBe(3);
  });
});
