import { mergeMap, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { clock } from '../../../src/demo/tools/clock.ts';
import { timeZoneOf } from '../../../src/demo/tools/time-zone.ts';
import type { AiServiceStreamingEvent } from '../../../src/service/streaming-event.ts';
import { runMarbles } from '../../../src/testing/run-marbles.ts';
import { called, calling } from './calling.ts';

// The clock of virtual time starts with the year 1970, when it was 9 o'clock in Tokyo.
function toldInTokyo({ ticks, askedAt }: { ticks: number; askedAt: number }): readonly unknown[] {
  const told: unknown[] = [];
  runMarbles(({ record }) => {
    const invocation = timer(askedAt).pipe(mergeMap(() => calling(clock(), { city: 'Tokyo', ticks }).stream('?')));
    record(invocation.pipe(mergeMap((event) => toldBy(event))), (value) => String(told.push(value)));
  });
  return told;
}

function toldBy(event: AiServiceStreamingEvent): unknown[] {
  if (event.type === 'toolProgress') return [event.value];
  return event.type === 'afterToolExecution' ? [event.execution.duration] : [];
}

describe('clock', () => {
  it('watches as many ticks as it is asked to, on the second: asked at 0.3 s, two of them take 1.7 s', () => {
    const result = { city: 'Tokyo', time: '09:00:02', date: 'Thursday, 1 January 1970', timeZone: 'Asia/Tokyo' };
    expect(toldInTokyo({ ticks: 2, askedAt: 300 })).toEqual(['09:00:00', '09:00:01', '09:00:02', result, 1700]);
  });

  it('without ticks it answers at once', () => {
    expect(toldInTokyo({ ticks: 0, askedAt: 300 })).toMatchObject(['09:00:00', { time: '09:00:00' }, 0]);
  });

  it('tells the real time', async () => {
    const before = Date.now();
    const { execution } = await called(clock(), { city: 'UTC' });
    const { date, time } = execution.resultObject as { date: string; time: string };
    const told = Date.parse(`${date} ${time} UTC`);
    expect(told).toBeGreaterThan(before - 1000);
    expect(told).toBeLessThanOrEqual(Date.now());
  });

  it('tells the model when it does not know a city, and the invocation goes on', async () => {
    const { content, execution } = await called(clock(), { city: 'Atlantis' });
    expect(execution.hasFailed).toBe(true);
    expect(execution.result).toContain('No time zone is named after Atlantis.');
    expect(content).toBe('z');
  });
});

describe('the time zone of a city', () => {
  it.each([
    ['Tokyo', 'Asia/Tokyo'],
    ['new york', 'America/New_York'],
    [' São Paulo ', 'America/Sao_Paulo'],
    ['europe/paris', 'Europe/Paris'],
    ['UTC', 'UTC'],
  ])('of %s is %s', (city, timeZone) => {
    expect(timeZoneOf(city)).toBe(timeZone);
  });

  it.each(['Atlantis', '', '../Tokyo', '12'])('there is none for "%s"', (city) => {
    expect(timeZoneOf(city)).toBeUndefined();
  });
});
