import { isObject } from '../chat/is-object.ts';
import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';

/** The event that a tool's progress is, where the tool is a service. */
export function nestedEvent(value: unknown): AiServiceStreamingEvent | undefined {
  const isEvent =
    isObject(value) && typeof value['type'] === 'string' && typeof value['round'] === 'number' && isObject(value['invocation']);
  return isEvent ? (value as unknown as AiServiceStreamingEvent) : undefined;
}
