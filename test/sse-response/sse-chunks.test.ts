import { Observable, asyncScheduler, of, range, take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { marbleSource } from '../../src/testing/marbles.ts';
import { sseChunks } from '../../src/sse-response/sse-chunks.ts';

const values = (marbles: string) =>
  marbleSource<string>(marbles, (symbol) => (symbol === '#' ? { error: new Error('x') } : { value: symbol }));
const symbol = (text: string) => (text.startsWith(':') ? ':' : /^data: "?(.)/.exec(text)![1]!);
const settings = { heartbeat: 4, scheduler: asyncScheduler };

describe('values as server-sent events', () => {
  it('come as they are emitted, with the last data behind them', () => {
    runMarbles(({ record }) => {
      record(sseChunks(values('-a-b|'), { ...settings, lastData: 'L' }), symbol).toBe('-a-b(L|)');
    });
  });

  it('have a comment between them where nothing has come for a heartbeat, and none behind the end', () => {
    runMarbles(({ record }) => {
      record(sseChunks(values('--a--------b---|'), settings), symbol).toBe('--a-----:--b---|');
    });
  });

  it('break where the values break, without last data', () => {
    runMarbles(({ record }) => {
      record(sseChunks(values('-a-#'), { ...settings, lastData: 'L' }), symbol).toBe('-a-#');
    });
  });

  it('leave no timer behind when they are left', () => {
    runMarbles(({ record }) => {
      record(sseChunks(values('-a'), settings), symbol, '^---------!').toBe('-a------:');
    });
  });

  it('have no heartbeat where that is to come never', () => {
    runMarbles(({ record }) => {
      record(sseChunks(values('-----------a|'), { ...settings, heartbeat: Infinity }), symbol).toBe('-----------a|');
    });
  });

  it('subscribe to a synchronous source once, and lose nothing of it', () => {
    let subscriptions = 0;
    const source = new Observable<number>((subscriber) => {
      subscriptions++;
      return range(0, 3).subscribe(subscriber);
    });
    const texts: string[] = [];
    sseChunks(source, settings).subscribe({ next: (text) => texts.push(text), error: expect.unreachable });
    expect(texts).toEqual(['data: 0\n\n', 'data: 1\n\n', 'data: 2\n\n']);
    expect(subscriptions).toBe(1);
  });

  it('stop an endless synchronous source when they are left', () => {
    const texts: string[] = [];
    sseChunks(range(0, Infinity), settings)
      .pipe(take(3))
      .subscribe({ next: (text) => texts.push(text), error: expect.unreachable });
    expect(texts).toHaveLength(3);
  });

  it('hold what JSON has no word for, and data of several lines', () => {
    const texts: string[] = [];
    sseChunks(of(undefined, 1n, { text: 'a\nb' }), { ...settings, lastData: 'two\r\nlines' }).subscribe({
      next: (text) => texts.push(text),
      error: expect.unreachable,
    });
    expect(texts).toEqual(['data: null\n\n', 'data: "1"\n\n', 'data: {"text":"a\\nb"}\n\n', 'data: two\ndata: lines\n\n']);
  });
});
