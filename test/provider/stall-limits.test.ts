import { asyncScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { stallLimits } from '../../src/provider/stall-limits.ts';
import { marbleSource } from '../../src/testing/marbles.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { drawSpan, logged, type SubscriptionSpan } from '../../src/testing/subscription-log.ts';

const letters = (marbles: string) =>
  marbleSource<string>(marbles, (value) => (value === '#' ? { error: new Error('broken') } : { value }));
const limits = (firstByte: number, idle: number) =>
  stallLimits<string>({ firstByte, idle }, asyncScheduler, (limit) => new Error(`stalled: ${limit}`));

describe('stallLimits', () => {
  it('lets a source be that never keeps silent for too long', () => {
    runMarbles(({ record }) => {
      record(letters('--a---b---c|').pipe(limits(3, 5))).toBe('--a---b---c|');
    });
  });

  it('[G31] errors when the source stalls after a value', () => {
    runMarbles(({ record, at }) => {
      const recording = record(letters('-a-b----------c|').pipe(limits(100, 5))).toBe('-a-b----#');
      at(20, () => expect(recording.error).toEqual(new Error('stalled: idle')));
    });
  });

  it('errors when the first value does not come', () => {
    runMarbles(({ record, at }) => {
      const recording = record(letters('--------a|').pipe(limits(5, 100))).toBe('-----#');
      at(20, () => expect(recording.error).toEqual(new Error('stalled: firstByte')));
    });
  });

  it('counts anew from each value, to the frame', () => {
    runMarbles(({ record }) => {
      record(letters('-a----b----c----------|').pipe(limits(2, 6))).toBe('-a----b----c-----#');
    });
  });

  it('closes the source when it errors, and leaves no timer', () => {
    runMarbles(({ record, at }) => {
      const log: SubscriptionSpan[] = [];
      record(logged(letters('-a'), log).pipe(limits(5, 5)));
      at(50, () => expect(log.map(drawSpan)).toEqual(['^-----!']));
    });
  });

  it('watches nothing where both limits are infinite', () => {
    runMarbles(({ record }) => {
      record(letters('- 900000ms a 900000ms |').pipe(limits(Infinity, Infinity))).toBe('- 900000ms a 900000ms |');
    });
  });

  it('limits the silence after the first value also where the wait for it is not limited', () => {
    runMarbles(({ record }) => {
      record(letters('- 900000ms a').pipe(limits(Infinity, 3))).toBe('- 900000ms a--#');
    });
  });

  it('passes error and completion on, and stops watching then', () => {
    runMarbles(({ record }) => {
      record(letters('-a#').pipe(limits(5, 5))).toBe('-a#');
      record(letters('|').pipe(limits(5, 5))).toBe('|');
    });
  });

  it('stops watching when the subscriber leaves', () => {
    runMarbles(({ record }) => {
      record(letters('-a').pipe(limits(5, 5)), String, '^--!').toBe('-a');
    });
  });
});
