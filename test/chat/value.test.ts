import { EMPTY, NEVER, Subject, firstValueFrom, lastValueFrom, of, type Observer, type Subscribable } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { fromTask, fromValue, toObservable, type Value } from '../../src/chat/value.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { marbleSource } from '../../src/testing/marbles.ts';
import { watch } from './watch.ts';

const letters = (marbles: string) =>
  marbleSource<string>(marbles, (symbol) => (symbol === '#' ? { error: new Error('broken') } : { value: symbol }));

/** As another RxJS copy or another library has it: subscribe, and no Symbol.observable. */
function foreign<T>(source: Subscribable<T>, onUnsubscribe = () => {}): Subscribable<T> {
  return {
    subscribe(observer: Partial<Observer<T>>) {
      const subscription = source.subscribe(observer);
      return {
        unsubscribe() {
          onUnsubscribe();
          subscription.unsubscribe();
        },
      };
    },
  };
}

describe('a callback may return a value, a promise or any Observable', () => {
  it('a plain value is there at once, so that virtual time stays whole', () => {
    expect(watch(fromValue(() => 5))).toMatchObject({ values: [5], end: 'complete' });
  });

  it.each([undefined, null, '', 0, false, [], 'text'])('%s is a plain value', (value) => {
    expect(watch(fromValue(() => value as Value<unknown>))).toMatchObject({ values: [value], end: 'complete' });
    expect(watch(toObservable(value as Value<unknown>))).toMatchObject({ values: [value], end: 'complete' });
  });

  it('an Observable counts with its first value, and is left then', () => {
    runMarbles(({ record }) => {
      const source = letters('--a-b-c|');
      record(fromValue(() => source)).toBe('--(a|)');
    });
  });

  it('an Observable that ends without a value counts as undefined', () => {
    runMarbles(({ record }) => {
      record(
        fromValue<unknown>(() => EMPTY),
        (value) => (value === undefined ? 'u' : '!'),
      ).toBe('(u|)');
    });
  });

  it('an Observable of another library works the same, and is unsubscribed from', () => {
    const left = vi.fn();
    runMarbles(({ record }) => {
      record(fromValue(() => foreign(letters('--a-b|')))).toBe('--(a|)');
      record(
        fromValue(() => foreign(NEVER, left)),
        String,
        '^--!',
      ).toBe('');
      record(toObservable(foreign(letters('-a-b-#')))).toBe('-a-b-#');
    });
    expect(left).toHaveBeenCalledOnce();
  });

  it('an Observable of this RxJS is passed on as it is', () => {
    const source = of(1);
    expect(toObservable(source)).toBe(source);
  });

  it('a promise counts with its value', async () => {
    const watched = watch(fromValue(() => Promise.resolve('later')));
    expect(watched.values).toEqual([]);
    await Promise.resolve();
    expect(watched).toMatchObject({ values: ['later'], end: 'complete' });
  });

  it('what is thrown becomes the error', () => {
    const error = new Error('thrown');
    const callback = (): Value<string> => {
      throw error;
    };
    expect(watch(fromValue(callback)).error).toBe(error);
    expect(watch(fromTask(callback)).error).toBe(error);
  });

  it('what rejects becomes the error', async () => {
    const error = new Error('rejected');
    await expect(
      firstValueFrom(
        fromValue(() => Promise.reject(error)),
        { defaultValue: undefined },
      ),
    ).rejects.toBe(error);
    await expect(
      lastValueFrom(
        fromTask(() => Promise.reject(error)),
        { defaultValue: undefined },
      ),
    ).rejects.toBe(error);
  });

  it('nothing is called before somebody subscribes, and once for each who does', () => {
    const callback = vi.fn(() => 1);
    const value = fromValue(callback);
    const task = fromTask(callback);
    expect(callback).not.toHaveBeenCalled();
    watch(value);
    watch(value);
    watch(task);
    expect(callback).toHaveBeenCalledTimes(3);
  });

  it('a task ends when what it returned has ended, and its values are dropped', () => {
    runMarbles(({ record }) => {
      record(fromTask(() => letters('-a-b-|'))).toBe('-----|');
      record(fromTask(() => 5)).toBe('|');
      record(fromTask(() => letters('-a-#'))).toBe('---#');
    });
  });

  it('a Subject is taken as an Observable, not as a value', () => {
    const subject = new Subject<number>();
    const watched = watch(fromValue(() => subject));
    expect(watched.values).toEqual([]);
    subject.next(1);
    expect(watched.values).toEqual([1]);
    expect(subject.observed).toBe(false);
  });
});
