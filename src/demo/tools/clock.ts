import { asyncScheduler, concat, connect, map, merge, of, take, takeLast, timer, type SchedulerLike } from 'rxjs';
import * as z from 'zod';
import { tool, toolErrorVisibleToLlm, type Tool } from '../../index.ts';
import { timeZoneOf } from './time-zone.ts';

/**
 * The clock of a city. It tells each reading as it is made, and the last one is the result.
 *
 *     second   ..|.....|.....|
 *     execute  r---t-----(tR|)     two ticks; R: the result
 */
export function clock(scheduler: SchedulerLike = asyncScheduler): Tool {
  return tool({
    name: 'clock',
    description: 'Reads the clock of a city.',
    parameters: z.object({
      city: z.string().describe('A city with a time zone named after it, such as Tokyo'),
      ticks: z.int().min(0).max(10).default(0).describe('How many ticks of its second hand to watch first'),
    }),
    execute: ({ city, ticks }) => {
      const timeZone = timeZoneOf(city);
      if (timeZone === undefined) {
        throw toolErrorVisibleToLlm(
          `No time zone is named after ${city}. Name another large city that has the same time, or a zone such as Asia/Tokyo.`,
        );
      }
      const time = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' });
      const date = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full' });
      const now = scheduler.now();
      const ticks$ = timer(1000 - (now % 1000), 1000, scheduler).pipe(
        take(ticks),
        map((tick) => now - (now % 1000) + (tick + 1) * 1000),
      );
      return concat(of(now), ticks$).pipe(
        connect((reading$) =>
          merge(
            reading$.pipe(map((reading) => time.format(reading))),
            reading$.pipe(
              takeLast(1),
              map((reading) => ({ city, time: time.format(reading), date: date.format(reading), timeZone })),
            ),
          ),
        ),
      );
    },
  });
}
