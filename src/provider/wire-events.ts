import { Observable, type OperatorFunction } from 'rxjs';
import { ChatModelError } from '../chat/chat-model-error.ts';
import type { ChatModelEvent } from '../chat/chat-model.ts';
import { frameParser } from './frame-parser.ts';
import { openTurn } from './open-turn.ts';
import { providerError, redactedWords, wordsIn } from './provider-error.ts';
import { redactedError } from './redact.ts';
import type { Wire } from './wire.ts';

/** One event of a stream, whatever its framing. */
export interface WireEvent {
  readonly event?: string | undefined;
  readonly data: string;
}

export interface WireEventsOptions {
  readonly idGenerator: () => string;
  readonly redact: (text: string) => string;
  /** The turn is whole: what is still in the body is of no interest. */
  readonly onDone: () => void;
}

/**
 * The events of a provider's stream, decoded.
 *
 *     wire    -a-b-[DONE]-c
 *     result  -a-b-(r|)        r: the complete response
 */
export function wireEvents(
  wire: Wire,
  { idGenerator, redact, onDone }: WireEventsOptions,
): OperatorFunction<WireEvent, ChatModelEvent> {
  const { provider } = wire;
  return (source) =>
    new Observable((subscriber) => {
      const frames = frameParser(wire.growingTexts ?? []);
      const turn = openTurn(wire, idGenerator, (event) => {
        if (event.type === 'raw') frames.keep();
        subscriber.next(event);
      });
      const reader = wire.reader(turn);
      /** Data that is no JSON: cut off, if nothing follows it. */
      let broken: string | undefined;

      const end = (isWhole: boolean) => {
        reader.end?.(isWhole);
        const response = turn.end(isWhole);
        onDone();
        subscriber.next({ type: 'completeResponse', response });
        subscriber.complete();
      };
      const read = ({ event, data }: WireEvent) => {
        if (broken !== undefined) throw malformed(provider, redact(broken));
        // A JSON object, as nearly always, needs no trimming.
        const text = data.startsWith('{') ? data : data.trim();
        if (text === '[DONE]') return end(true);
        if (!text || text === 'null') return;
        const json = objectIn(frames.parse(text));
        const failure =
          event === 'error' ? (json ?? { error: text }) : json && (failureIn(json) ?? reader.failureIn?.(json, event));
        if (failure !== undefined) throw told(provider, failure, redact);
        if (!json) broken = text;
        else if (reader.read(json, event, text)) end(true);
      };
      const fail = (error: unknown) => subscriber.error(redactedError(error, redact));
      const failReading = (error: unknown) => fail(error instanceof ChatModelError ? error : unreadable(provider, error));

      return source.subscribe({
        next: (event) => {
          try {
            if (!subscriber.closed) read(event);
          } catch (error) {
            failReading(error);
          }
        },
        error: fail,
        complete: () => {
          try {
            if (!subscriber.closed) end(false);
          } catch (error) {
            failReading(broken === undefined ? error : withLastWords(error, redact(broken)));
          }
        },
      });
    });
}

function objectIn(value: unknown): object | undefined {
  return typeof value === 'object' && value !== null ? value : undefined;
}

/** An error as nearly every API tells it. */
function failureIn(json: { readonly error?: unknown; readonly object?: unknown; readonly type?: unknown }): unknown {
  if (json.error) return json;
  if (Array.isArray(json)) return wordsIn(json) && json;
  return json.object === 'error' || json.type === 'error' ? json : undefined;
}

function told(provider: string, failure: unknown, redact: (text: string) => string): Error {
  const words = wordsIn(failure) ?? { message: 'an error without words' };
  return providerError(provider, redactedWords(words, redact));
}

function unreadable(provider: string, cause: unknown): Error {
  const details = { kind: 'malformedResponse', provider, retryable: true, cause } as const;
  return new ChatModelError(`${provider}: an event of the stream can't be read`, details);
}

/** The error of a stream that broke off with words instead of an event; half an event says nothing. */
function withLastWords(error: unknown, words: string): unknown {
  if (!(error instanceof ChatModelError) || error.kind !== 'interrupted' || /^[{[]/.test(words)) return error;
  const { kind, provider, retryable } = error;
  return new ChatModelError(`${error.message}; its last words: ${shown(words)}`, { kind, provider, retryable });
}

function malformed(provider: string, data: string): Error {
  return new ChatModelError(`${provider}: an event of the stream is no JSON object: ${shown(data)}`, {
    kind: 'malformedResponse',
    provider,
    retryable: true,
  });
}

function shown(data: string): string {
  return data.length > 200 ? `${data.slice(0, 200)}…` : data;
}
