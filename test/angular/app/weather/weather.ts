import { Injectable } from '@angular/core';
import { defer, delay, map, of, type Observable } from 'rxjs';
import { days, type Day } from '../calendar/calendar';

export type Forecast = Readonly<Record<Day, string>>;

const sky = ['rain, 14 °C', 'showers, 15 °C', 'cloudy, 17 °C', 'sunny, 21 °C', 'sunny, 22 °C'];
const unknown = ['atlantis', 'el dorado'];

/** Stands for a service that asks a server and takes its time. */
@Injectable({ providedIn: 'root' })
export class Weather {
  /** Errors for a city that is on no map. */
  forecast(city: string): Observable<Forecast> {
    return defer(() => of(city)).pipe(
      delay(1200),
      map(() => {
        if (unknown.includes(city.toLowerCase())) throw new Error(`There is no weather station in ${city}.`);
        return Object.fromEntries(days.map((day, place) => [day, sky[place]])) as Forecast;
      }),
    );
  }
}
