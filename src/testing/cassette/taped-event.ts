import type { ChatModelEvent } from '../../chat/chat-model.ts';
import type { TapedEvent } from './cassette.ts';
import { jsonCopy } from './json-copy.ts';
import { tapedError, untapedError } from './taped-error.ts';

/** An event as JSON, with its time in ms. */
export function tapedEvent(event: ChatModelEvent, at: number): TapedEvent {
  const told = event.type === 'retry' ? { ...event, error: tapedError(event.error) } : event;
  return { at, ...(jsonCopy(told) as Omit<TapedEvent, 'at'>) } as TapedEvent;
}

/** The event again, without its time. */
export function untapedEvent(taped: TapedEvent): ChatModelEvent {
  const told: ChatModelEvent & { at?: number } =
    taped.type === 'retry' ? { ...taped, error: untapedError(taped.error) as Error } : { ...taped };
  delete told.at;
  return told;
}
