import 'node:process';
import { verifyEvents } from '@ag-ui/client';
import { EventSchema } from '@ag-ui/core/schemas';
import { from, type Observable } from 'rxjs';
import { expect } from 'vitest';
import type { AgUiEvent } from '../../src/ag-ui/ag-ui-event.ts';

/** The schema of each event, which must have nothing that the protocol does not know. */
const schemas = new Map(
  EventSchema.options.map((option) => [String(option.shape.type.value), option.strict() as unknown as typeof EventSchema]),
);

/** Asserts that these are the events of whole runs, by the protocol's own schemas and its own verifier. */
export function expectVerified(events: readonly AgUiEvent[]): void {
  const overTheWire = events.map((event) => JSON.parse(JSON.stringify(event)) as { type: string });
  for (const [place, event] of overTheWire.entries()) {
    const { success, error } = schemas.get(event.type)!.safeParse(event);
    expect(success, `event ${place}, ${JSON.stringify(event)}: ${error?.message}`).toBe(true);
  }
  const verified: unknown[] = [];
  let failure: unknown;
  (verifyEvents()(from(overTheWire) as never) as unknown as Observable<unknown>).subscribe({
    next: (event) => verified.push(event),
    error: (error: unknown) => (failure = error),
  });
  expect(failure).toBeUndefined();
  expect(verified).toHaveLength(overTheWire.length);
  const ends = overTheWire.filter(({ type }) => type === 'RUN_FINISHED' || type === 'RUN_ERROR');
  const starts = overTheWire.filter(({ type }) => type === 'RUN_STARTED');
  expect([starts.length, ends.length]).toEqual([1, 1]);
  expect(overTheWire[0]!.type).toBe('RUN_STARTED');
  expect(overTheWire.at(-1)).toBe(ends[0]);
}

/** The events in short: what a reader would want to see of them. */
export function outline(events: readonly AgUiEvent[]): readonly string[] {
  return events.map((event) => {
    switch (event.type) {
      case 'TEXT_MESSAGE_CONTENT':
      case 'REASONING_MESSAGE_CONTENT':
      case 'TOOL_CALL_ARGS':
        return `${event.type} ${event.delta}`;
      case 'TOOL_CALL_START':
        return `${event.type} ${event.toolCallName}`;
      case 'TOOL_CALL_RESULT':
        return `${event.type} ${typeof event.content === 'string' ? event.content : JSON.stringify(event.content)}${event.metadata ? '!' : ''}`;
      case 'STEP_STARTED':
      case 'STEP_FINISHED':
        return `${event.type} ${event.stepName}`;
      case 'CUSTOM':
        return `CUSTOM ${event.name}`;
      case 'RUN_FINISHED':
        return `${event.type} ${event.outcome.type}`;
      case 'RUN_ERROR':
        return `${event.type} ${event.code ?? ''}: ${event.message}`;
      default:
        return event.type;
    }
  });
}

/** What has come by now: it grows. Fails on an error. */
export function watched<T>(source: Observable<T>): readonly T[] {
  const values: T[] = [];
  source.subscribe({
    next: (value) => values.push(value),
    error: (error: unknown) => {
      throw error;
    },
  });
  return values;
}

/** All that comes in the same moment. Fails on an error, and unless it completes. */
export function told<T>(source: Observable<T>): readonly T[] {
  const values: T[] = [];
  let isComplete = false;
  source.subscribe({
    next: (value) => values.push(value),
    error: (error: unknown) => {
      throw error;
    },
    complete: () => (isComplete = true),
  });
  expect(isComplete).toBe(true);
  return values;
}
