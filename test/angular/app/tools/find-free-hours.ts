import { inject } from '@angular/core';
import { map, scan, take, timer } from 'rxjs';
import { injectableTool } from 'toolstream/angular';
import { Calendar, days, hourText } from '../calendar/calendar';

/** Looks at one day after the other. What it has found so far is its progress, and in the end its result. */
export const findFreeHours = () =>
  injectableTool({
    name: 'find_free_hours',
    description: 'Finds the hours of the week that are still free',
    execute: () => {
      const calendar = inject(Calendar);
      return timer(300, 300).pipe(
        take(days.length),
        map((place) => days[place]!),
        scan((free, day) => [...free, `${day} ${calendar.freeHours(day).map(hourText).join(', ')}`], [] as readonly string[]),
        map((free) => ({ done: free.length, total: days.length, free })),
      );
    },
  });
