import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';

/** The event that a tool's progress is, where the tool is a service. */
export function innerEvent(value: unknown): AiServiceStreamingEvent | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, round, invocation } = value as Partial<AiServiceStreamingEvent>;
  const isEvent = typeof type === 'string' && typeof round === 'number' && typeof invocation === 'object';
  return isEvent ? (value as AiServiceStreamingEvent) : undefined;
}
