import type { AiServiceStreamingEvent } from './streaming-event.ts';

/** Of all copies of the package: what is told must not depend on how it was loaded. */
const mark = Symbol.for('toolstream.innerEvent');

/** Marks an event of a service that is a tool, before it is told as the tool's progress. */
export function asInner(event: AiServiceStreamingEvent): AiServiceStreamingEvent {
  if (!isInner(event)) Object.defineProperty(event, mark, { value: true });
  return event;
}

/** Whether a tool's progress is an event of a service that is the tool: other values may only look like one. */
export function isInner(value: unknown): value is AiServiceStreamingEvent {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, mark);
}
