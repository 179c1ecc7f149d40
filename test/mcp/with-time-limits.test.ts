import { BehaviorSubject, NEVER, Observable, map, of } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import { withTimeLimits, type TimeLimits } from '../../src/mcp/with-time-limits.ts';

function limited(
  test: (kit: {
    hot: TestScheduler['createHotObservable'];
    check: (source: Observable<unknown>, limits: Partial<TimeLimits>, marbles: string) => void;
  }) => void,
) {
  const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
  scheduler.run(({ hot, expectObservable }) => {
    const usual = { idle: 6, total: Infinity, isPaused$: of(false), progress$: NEVER, scheduler };
    test({
      hot: hot as never,
      check: (source, limits, marbles) => {
        const result = source.pipe(withTimeLimits('a', { ...usual, ...limits }));
        const told = new Observable<unknown>((subscriber) =>
          result.subscribe({
            next: (value) => subscriber.next(value),
            complete: () => subscriber.complete(),
            error: (error: unknown) => subscriber.error((error as Error).message),
          }),
        );
        const idle = `The tool a told nothing for ${limits.idle ?? 6} ms and was stopped.`;
        const total = `The tool a took longer than ${limits.total} ms and was stopped.`;
        expectObservable(told).toBe(marbles, undefined, limits.total === undefined ? idle : total);
      },
    });
  });
}

describe('the time limits of a call', () => {
  it('stop one that tells nothing', () => limited(({ hot, check }) => check(hot('---------r'), {}, '------#')));

  it('let one end in time, and stop their clocks', () => limited(({ hot, check }) => check(hot('-----r'), {}, '-----(r|)')));

  it('begin anew with each progress', () =>
    limited(({ hot, check }) => {
      check(hot('--------------r'), { progress$: hot('----p----p') }, '--------------(r|)');
      check(hot('--------------------r'), { progress$: hot('----p----p') }, '---------------#');
    }));

  it('hold for all of it where that is wanted, whatever it tells', () =>
    limited(({ hot, check }) => check(hot('-----------r'), { total: 8, progress$: hot('--p--p--p--p') }, '--------#')));

  it('stand still while a person is asked', () =>
    limited(({ hot, check }) => {
      const paused = (marbles: string) => {
        const isPaused$ = new BehaviorSubject(false);
        hot(marbles)
          .pipe(map((mark) => mark === 'p'))
          .subscribe(isPaused$);
        return isPaused$;
      };
      check(hot('------------------r'), { isPaused$: paused('---p--------g') }, '---------------#');
      check(
        hot('---------------------r'),
        { isPaused$: paused('--p----g---p----g'), total: 9, idle: 99 },
        '-------------------#',
      );
    }));

  it('are none beyond what a timer can hold', () =>
    limited(({ hot, check }) => check(hot('---------r'), { idle: 0x80000000 }, '---------(r|)')));

  it('leave no clock behind when the call fails at once', () =>
    limited(({ hot, check }) =>
      check(
        new Observable((subscriber) => subscriber.error(new Error('no'))).pipe(() => hot('(r|)')),
        {},
        '(r|)',
      ),
    ));
});
