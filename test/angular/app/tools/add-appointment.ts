import { inject } from '@angular/core';
import { injectableTool } from 'toolstream/angular';
import * as z from 'zod/mini';
import { Calendar, days } from '../calendar/calendar';

/** Changes something, so somebody has to approve it. */
export const addAppointment = () =>
  injectableTool({
    name: 'add_appointment',
    description: 'Adds an appointment to the calendar',
    parameters: z.object({ day: z.enum(days), hour: z.int().check(z.minimum(0), z.maximum(23)), title: z.string() }),
    needsApproval: true,
    execute: ({ day, hour, title }) => inject(Calendar).add(day, hour, title),
  });
