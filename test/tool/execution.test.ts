import { EMPTY, Observable, Subject, concat, defer, map, of, takeUntil, throwError, type Observer } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { ToolExecutionError } from '../../src/tool/tool-errors.ts';
import { tool } from '../../src/tool/tool.ts';
import { watch } from '../chat/watch.ts';
import { contextFor, executed, execution, failureOf, textIn } from './call.ts';

const of1 = (execute: () => unknown) => tool({ name: 'a', execute });

/** Everything that a call tells: progress as it comes, then the result. */
async function told(execute: () => unknown): Promise<readonly string[]> {
  const a = of1(execute);
  const all: string[] = [];
  await new Promise<void>((complete) => {
    execution(
      a,
      {},
      contextFor(a, {}, (value) => all.push(`progress ${String(value)}`)),
    ).subscribe({
      next: (result) => all.push(`result ${textIn(result)}`),
      error: (error: unknown) => {
        all.push(`error ${String((error as Error).cause)}`);
        complete();
      },
      complete,
    });
  });
  return all;
}

describe('a tool may return', () => {
  it('a value: the result is there at once', () => {
    expect(textIn(executed(of1(() => 'now')))).toBe('now');
  });

  it('a promise', async () => {
    expect(await told(() => Promise.resolve('later'))).toEqual(['result later']);
  });

  it('[G16] an Observable: each value is progress when it arrives, the last is also the result', () => {
    runMarbles(({ record }) => {
      const a = scriptedTool('a', '-p--q---r-|');
      const all = new Observable<string>((subscriber) => {
        const context = contextFor(a, {}, (value) => subscriber.next(String(value)));
        return execution(a, {}, context)
          .pipe(map((result) => textIn(result).toUpperCase()))
          .subscribe(subscriber);
      });
      record(all).toBe('-p--q---r-(R|)');
    });
  });

  it('a synchronous Observable: everything happens at once', async () => {
    expect(await told(() => of(1, 2, 3))).toEqual(['progress 1', 'progress 2', 'progress 3', 'result 3']);
  });

  it.each([
    ['a Response', () => new Response('sunny')],
    ['a promise of one', () => Promise.resolve(new Response('sunny'))],
    ['a File', () => new File(['sunny'], 'weather.txt')],
  ])('%s: the model is told that nobody has read it, and no empty object', async (_, execute) => {
    expect(await told(execute)).toEqual(['result "[Unread body: return what its text() gives]"']);
  });

  it('a Response inside of something else: the same', () => {
    const shown = '[Unread body: return what its text() gives]';
    expect(textIn(executed(of1(() => ({ weather: [new Response('sunny')] }))))).toBe(`{"weather":["${shown}"]}`);
  });

  it('data that looks like it, as it is', () => {
    expect(textIn(executed(of1(() => ({ text: 'a', arrayBuffer: 'b' }))))).toBe('{"text":"a","arrayBuffer":"b"}');
    const withMethods = { contents: [{ type: 'text', text: 'ok' }], isError: false, text() {}, arrayBuffer() {} };
    expect(textIn(executed(of1(() => withMethods)))).toBe('ok');
  });

  it('an Observable without a value: the tool has succeeded', () => {
    expect(textIn(executed(of1(() => EMPTY)))).toBe('Success');
  });

  it('[S78] an Observable of another library', async () => {
    const foreign = { subscribe: (observer: Partial<Observer<number>>) => of(1, 2).subscribe(observer) };
    expect(await told(() => foreign)).toEqual(['progress 1', 'progress 2', 'result 2']);
  });

  it('[G16] an async generator: each value is progress when it arrives, the last is also the result', async () => {
    async function* generate() {
      yield 'a';
      await Promise.resolve();
      yield 'b';
    }
    expect(await told(generate)).toEqual(['progress a', 'progress b', 'result b']);
  });

  it('a string or an array: these are values, not streams', async () => {
    expect(await told(() => 'abc')).toEqual(['result abc']);
    expect(await told(() => [1, 2])).toEqual(['result [1,2]']);
  });

  it('what its context reports as progress, too', () => {
    const a = tool({
      name: 'a',
      execute: (_, { progress }) => {
        progress('half');
        return 'done';
      },
    });
    const seen: unknown[] = [];
    expect(
      watch(
        execution(
          a,
          {},
          contextFor(a, {}, (value) => seen.push(value)),
        ),
      ).values.map(textIn),
    ).toEqual(['done']);
    expect(seen).toEqual(['half']);
  });
});

describe('a call', () => {
  it('runs nothing before somebody subscribes, and once for each who does', () => {
    const execute = vi.fn(() => 'r');
    const call = execution(of1(execute));
    expect(execute).not.toHaveBeenCalled();
    watch(call);
    watch(call);
    expect(execute).toHaveBeenCalledTimes(2);
  });

  it('[S88] gets the arguments and the context of its call', () => {
    const execute = vi.fn(() => 'r');
    const a = tool({ name: 'a', parameters: { properties: { n: {} } }, execute });
    const context = contextFor(a, { n: 1 });
    watch(execution(a, { n: 1 }, context));
    const [args, given] = execute.mock.calls[0] as unknown as [unknown, typeof context];
    expect(args).toEqual({ n: 1 });
    expect(given.request).toBe(context.request);
    expect(given.invocation).toBe(context.invocation);
    expect(given.parameters).toBe(context.parameters);
  });
});

describe('[G15] a tool that fails', () => {
  const cause = new Error('disk full');
  const fail = () => {
    throw cause;
  };

  it.each<[how: string, execute: () => unknown]>([
    ['throws at once', fail],
    ['returns an Observable that throws', () => defer(fail)],
    ['returns an Observable that errors', () => throwError(() => cause)],
    [
      'returns an Observable that errors after progress',
      () =>
        concat(
          of(1),
          throwError(() => cause),
        ),
    ],
  ])("errors with our wrapper, which has the tool's own error as its cause: it %s", (_, execute) => {
    const error = failureOf(of1(execute));
    expect(error).toBeInstanceOf(ToolExecutionError);
    expect(error).toMatchObject({ name: 'ToolExecutionError', message: 'disk full', cause });
  });

  it.each<[how: string, execute: () => unknown]>([
    ['rejects', () => Promise.reject(cause)],
    [
      'is an async function that throws',
      async () => {
        await Promise.resolve();
        throw cause;
      },
    ],
    [
      'is an async generator that throws',
      async function* () {
        yield 1;
        await Promise.resolve();
        throw cause;
      },
    ],
  ])('errors the same when it %s', async (_, execute) => {
    expect((await told(execute)).at(-1)).toBe('error Error: disk full');
  });

  it.each<[what: string, key: PropertyKey]>([
    ['a stream', 'subscribe'],
    ['an async iterable', Symbol.asyncIterator],
  ])('errors the same when it resolves with what throws when it is looked at: whether it is %s', async (_, key) => {
    const sealed = Object.defineProperty({}, key, {
      get() {
        throw cause;
      },
    });
    expect(await told(() => Promise.resolve(sealed))).toEqual(['error Error: disk full']);
  });

  it.each<[thrown: string, value: unknown, message: string]>([
    ['[G12] text', 'boom', 'The tool threw boom'],
    ['[G12] undefined', undefined, 'The tool threw undefined'],
    ['[G12] empty text', '', 'The tool threw an empty text'],
    ['null', null, 'The tool threw null'],
    ['a number', 42, 'The tool threw 42'],
    ['an object without a text', Object.create(null), 'The tool threw object'],
    ['a symbol', Symbol('s'), 'The tool threw Symbol(s)'],
  ])('is told by a text that is never empty, and keeps what was thrown: %s', (_, thrown, message) => {
    const error = failureOf(of1(() => new Observable((subscriber) => subscriber.error(thrown))));
    expect(error).toBeInstanceOf(ToolExecutionError);
    expect(error.message).toBe(message);
    expect('cause' in error).toBe(true);
    expect(error.cause).toBe(thrown);
  });

  it('[G12][S109] is told by the name of the error where its message is blank', () => {
    class PaymentError extends Error {
      override readonly name = 'PaymentError';
    }
    expect(failureOf(of1(() => throwError(() => new PaymentError(' ')))).message).toBe('PaymentError');
    expect(failureOf(of1(() => throwError(() => new Error('')))).message).toBe('Error');
  });

  it('is told even where the message of its error is no text', () => {
    const odd = Object.assign(new Error(), { message: { code: 5 } });
    const error = failureOf(of1(() => throwError(() => odd)));
    expect(error).toBeInstanceOf(ToolExecutionError);
    expect(error.cause).toBe(odd);
    expect(error.message).not.toBe('');
  });
});

describe('[G16] leaving a call', () => {
  it('tears the inner Observable down', () => {
    const a = scriptedTool('a', '-p--q---r|');
    runMarbles(({ record }) => {
      record(execution(a), textIn, '^--!').toBe('');
      record(execution(a), textIn, '-----^').toBe('--------------(r|)');
    });
    expect(a.subscriptions()).toEqual(['^--!', '-----^--------!']);
  });

  it('tears it down in the middle of a synchronous burst', () => {
    let emitted = 0;
    const burst = new Observable<number>((subscriber) => {
      while (!subscriber.closed && emitted < 100) subscriber.next(++emitted);
    });
    const a = of1(() => burst);
    const stop = new Subject<void>();
    const context = contextFor(a, {}, (value) => {
      if (value === 3) stop.next();
    });
    const { values, end } = watch(execution(a, {}, context).pipe(takeUntil(stop)));
    expect({ values, end, emitted }).toEqual({ values: [], end: 'complete', emitted: 3 });
  });

  it('ends a generator at the place where it waits', async () => {
    const ended = manualPromise();
    async function* generate() {
      try {
        yield 1;
        await Promise.resolve();
        yield 2;
        yield 3;
      } finally {
        ended.resolve();
      }
    }
    const a = of1(generate);
    const seen: unknown[] = [];
    const context = contextFor(a, {}, (value) => {
      seen.push(value);
      subscription.unsubscribe();
    });
    const { subscription } = watch(execution(a, {}, context));
    await ended.promise;
    expect(seen).toEqual([1]);
  });
});

function manualPromise(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
