import type { ChatModelEvent } from '../../chat/chat-model.ts';
import type { ChatRequest } from '../../chat/chat-request.ts';
import type { CassetteExchange, TapedEnd, TapedEvent } from './cassette.ts';
import { redactedEvents } from './redacted-events.ts';
import { tapedError } from './taped-error.ts';
import { tapedEvent } from './taped-event.ts';
import { redactTexts, tapedRequest } from './taped-request.ts';

/** The tape of one request while it runs, and when it has ended. */
export interface ExchangeTape {
  readonly isRunning: boolean;
  event(event: ChatModelEvent): void;
  complete(): void;
  error(error: unknown): void;
  unsubscribed(): void;
  /** The exchange without its neighbours, once it has ended. */
  recorded(): CassetteExchange | undefined;
}

export interface TapeSettings {
  readonly now: () => number;
  readonly redact: (text: string) => string;
}

export function exchangeTape(question: ChatRequest, { now, redact }: TapeSettings, onEnd: () => void): ExchangeTape {
  const start = now();
  const request = tapedRequest(question, redact);
  const events: TapedEvent[] = [];
  /** Of the last thing on the tape: a clock that is set back must not make a tape that runs back. */
  let latest = 0;
  let end: TapedEnd | undefined;
  /** A consumer may ask again before the stream has completed behind its last event. */
  let isAnswered = false;
  let exchange: CassetteExchange | undefined;

  const at = () => (latest = Math.max(latest, now() - start));
  const ended = (how: TapedEnd) => {
    if (end) return;
    end = how;
    onEnd();
  };
  return {
    get isRunning() {
      return !end && !isAnswered;
    },
    event(event) {
      events.push(tapedEvent(event, at()));
      isAnswered ||= event.type === 'completeResponse';
    },
    complete: () => ended({ at: at(), how: 'complete' }),
    error: (error) => ended({ at: at(), how: 'error', error: tapedError(error) }),
    unsubscribed: () => ended({ at: at(), how: 'unsubscribed' }),
    recorded() {
      if (end) exchange ??= { request, events: redactedEvents(events, redact), end: redactTexts(end, redact) as TapedEnd };
      return exchange;
    },
  };
}
