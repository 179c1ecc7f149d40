import { inject } from '@angular/core';
import { catchError } from 'rxjs';
import { toolErrorVisibleToLlm } from 'toolstream';
import { injectableTool } from 'toolstream/angular';
import * as z from 'zod/mini';
import { Weather } from '../weather/weather';

/** Fails for a city that it does not know. The model is told why, and goes on. */
export const weatherForecast = () =>
  injectableTool({
    name: 'weather_forecast',
    description: 'The weather of this week in a city',
    parameters: z.object({ city: z.string() }),
    execute: ({ city }) =>
      inject(Weather)
        .forecast(city)
        .pipe(
          catchError((error: unknown) => {
            throw toolErrorVisibleToLlm((error as Error).message, { cause: error });
          }),
        ),
  });
