import { asyncScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { totalLimit } from '../../src/provider/total-limit.ts';
import { marbleSource } from '../../src/testing/marbles.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { drawSpan, logged, type SubscriptionSpan } from '../../src/testing/subscription-log.ts';

const letters = (marbles: string) => marbleSource<string>(marbles, (value) => ({ value }));
const limit = (total: number | undefined) => totalLimit<string>(total, asyncScheduler, () => new Error('too long'));

describe('totalLimit', () => {
  it('errors when the source has not ended in time, however busy it is', () => {
    runMarbles(({ record, at }) => {
      const log: SubscriptionSpan[] = [];
      const recording = record(logged(letters('-a-a-a-a-a|'), log).pipe(limit(6))).toBe('-a-a-a#');
      at(20, () => {
        expect(recording.error).toEqual(new Error('too long'));
        expect(log.map(drawSpan)).toEqual(['^-----!']);
      });
    });
  });

  it('lets a source be that ends in time', () => {
    runMarbles(({ record }) => {
      record(letters('-a-a|').pipe(limit(6))).toBe('-a-a|');
    });
  });

  it.each([undefined, Infinity])('is no limit where it is %s', (total) => {
    runMarbles(({ record }) => {
      record(letters('- 900000ms a|').pipe(limit(total))).toBe('- 900000ms a|');
    });
  });

  it('leaves no timer behind when the subscriber leaves', () => {
    runMarbles(({ record }) => {
      record(letters('-a').pipe(limit(6)), String, '^--!').toBe('-a');
    });
  });
});
