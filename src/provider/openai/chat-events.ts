import type { EventSourceMessage } from 'eventsource-parser';
import { Observable, type OperatorFunction } from 'rxjs';
import { ChatModelError } from '../../chat/chat-model-error.ts';
import type { ChatModelEvent } from '../../chat/chat-model.ts';
import { parseJson } from '../../chat/parse-json.ts';
import { providerError, wordsIn, type ProviderWords } from '../provider-error.ts';
import { chatTurn } from './chat-turn.ts';
import type { Chunk } from './chunk.ts';
import { isText } from './wire-values.ts';

export interface ChatEventsOptions {
  readonly provider: string;
  readonly idGenerator: () => string;
  readonly redact: (text: string) => string;
  /** The turn is whole: what is still in the body is of no interest. */
  readonly onDone: () => void;
}

/**
 * The events of a chat-completions stream, decoded.
 *
 *     wire    -a-b-[DONE]-c
 *     result  -a-b-(r|)        r: the complete response
 */
export function chatEvents({
  provider,
  idGenerator,
  redact,
  onDone,
}: ChatEventsOptions): OperatorFunction<EventSourceMessage, ChatModelEvent> {
  return (source) =>
    new Observable((subscriber) => {
      const turn = chatTurn(provider, idGenerator, (event) => subscriber.next(event));
      /** Data that is no JSON: cut off, if nothing follows it. */
      let broken: string | undefined;

      const end = (hasSentinel: boolean) => {
        const response = turn.end(hasSentinel);
        onDone();
        subscriber.next({ type: 'completeResponse', response });
        subscriber.complete();
      };
      const read = ({ event, data }: EventSourceMessage) => {
        if (broken !== undefined) throw malformed(provider, redact(broken));
        // A JSON object, as nearly always, needs no trimming.
        const text = data.startsWith('{') ? data : data.trim();
        if (text === '[DONE]') return end(true);
        if (!text || text === 'null') return;
        const chunk = chunkIn(text);
        const failure = event === 'error' ? (chunk ?? { error: text }) : chunk && failureIn(chunk);
        if (failure !== undefined) throw told(provider, failure, redact);
        if (chunk) turn.add(chunk);
        else broken = text;
      };
      const fail = (error: unknown) => subscriber.error(error instanceof ChatModelError ? error : unreadable(provider, error));

      return source.subscribe({
        next: (message) => {
          try {
            if (!subscriber.closed) read(message);
          } catch (error) {
            fail(error);
          }
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => {
          try {
            if (!subscriber.closed) end(false);
          } catch (error) {
            fail(error);
          }
        },
      });
    });
}

function chunkIn(data: string): Chunk | undefined {
  const value = parseJson(data);
  return typeof value === 'object' && value !== null ? value : undefined;
}

/** An error, wherever a server puts it; `undefined` in a chunk of an answer. */
function failureIn(chunk: Chunk): unknown {
  const inside = chunk.error ?? chunk.x_groq?.error ?? chunk.choices?.[0]?.error;
  if (inside) return { error: inside };
  const isNamed = chunk.object === 'error' || chunk.type === 'error';
  const isAnswer = chunk.choices !== undefined || chunk.usage !== undefined;
  return isNamed || (!isAnswer && (isText(chunk.message) || isText(chunk.detail))) ? chunk : undefined;
}

function told(provider: string, failure: unknown, redact: (text: string) => string): Error {
  const words = wordsIn(failure) ?? { message: 'an error without words' };
  return providerError(provider, JSON.parse(redact(JSON.stringify(words))) as ProviderWords);
}

function unreadable(provider: string, cause: unknown): Error {
  const details = { kind: 'malformedResponse', provider, retryable: true, cause } as const;
  return new ChatModelError(`${provider}: an event of the stream can't be read`, details);
}

function malformed(provider: string, data: string): Error {
  const shown = data.length > 200 ? `${data.slice(0, 200)}…` : data;
  return new ChatModelError(`${provider}: an event of the stream is no JSON object: ${shown}`, {
    kind: 'malformedResponse',
    provider,
    retryable: true,
  });
}
