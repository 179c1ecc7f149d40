import { Injectable, signal } from '@angular/core';

export const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] as const;
export type Day = (typeof days)[number];

export interface Appointment {
  readonly day: Day;
  readonly hour: number;
  readonly title: string;
  /** It was not there when the page was opened. */
  readonly isNew?: boolean;
}

const openingHours = [9, 12, 15, 18];

/** The calendar of the page: what a tool adds here shows in every component that reads it. */
@Injectable({ providedIn: 'root' })
export class Calendar {
  readonly #appointments = signal<readonly Appointment[]>([
    { day: 'Monday', hour: 9, title: 'Planning' },
    { day: 'Monday', hour: 12, title: 'Lunch with Grace' },
    { day: 'Tuesday', hour: 15, title: 'Dentist' },
    { day: 'Wednesday', hour: 9, title: 'Review' },
    { day: 'Thursday', hour: 12, title: 'Workshop' },
    { day: 'Friday', hour: 15, title: 'Train to Porto' },
  ]);

  readonly appointments = this.#appointments.asReadonly();

  on(day: Day): readonly Appointment[] {
    return this.appointments()
      .filter((appointment) => appointment.day === day)
      .sort((one, other) => one.hour - other.hour);
  }

  freeHours(day: Day): readonly number[] {
    const taken = this.on(day).map(({ hour }) => hour);
    return openingHours.filter((hour) => !taken.includes(hour));
  }

  /** Throws where the hour is taken. */
  add(day: Day, hour: number, title: string): Appointment {
    const other = this.on(day).find((appointment) => appointment.hour === hour);
    if (other) throw new Error(`${day} at ${hourText(hour)} is taken: ${other.title}.`);
    const appointment: Appointment = { day, hour, title, isNew: true };
    this.#appointments.update((appointments) => [...appointments, appointment]);
    return appointment;
  }
}

export function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
