import { map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { toolScheduler } from '../../src/testing/tool-scheduler.ts';

const failureOf = (test: () => void): string => {
  try {
    test();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It did not fail.');
};

describe('toolScheduler', () => {
  it("is RxJS' TestScheduler, with its notation and time", () => {
    toolScheduler().run(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('-a-(bc|)');
      expectObservable(source.pipe(map((text) => text.toUpperCase()))).toBe('-A-(BC|)');
      expectSubscriptions(source.subscriptions).toBe('^--!');
    });
  });

  it('draws what was expected and what came, with a legend, instead of dumping frames', () => {
    const message = failureOf(() =>
      toolScheduler().run(({ cold, expectObservable }) => {
        expectObservable(cold('-x-#', { x: { n: 1 } }, new Error('lost'))).toBe('--y|', { y: { n: 2 } });
      }),
    );
    expect(message.split('\n')).toEqual([
      'The marbles differ:',
      'expected   --b|',
      'actual     -a-#',
      'legend     a {"n":1}',
      '           # Error: lost',
      '           b {"n":2}',
    ]);
  });

  it('draws subscriptions', () => {
    const message = failureOf(() =>
      toolScheduler().run(({ cold, expectObservable, expectSubscriptions }) => {
        const source = cold('-a-|');
        expectObservable(source, '^-!');
        expectSubscriptions(source.subscriptions).toBe('^--!');
      }),
    );
    expect(message).toContain('expected   ^--!\nactual     ^-!');
  });

  it('says that a group takes one frame in its drawings', () => {
    const message = failureOf(() =>
      toolScheduler().run(({ cold, expectObservable }) => expectObservable(cold('(ab)|')).toBe('(ab)-|')),
    );
    expect(message).toContain(
      'expected   (ab)----|\nactual     (ab)---|\n           (in these drawings a group takes one frame)',
    );
  });
});
