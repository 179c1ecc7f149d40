import type { EventSourceMessage } from 'eventsource-parser';
import { Observable, type OperatorFunction } from 'rxjs';
import { ChatModelError } from '../../chat/chat-model-error.ts';
import type { ChatModelEvent } from '../../chat/chat-model.ts';
import { providerError, wordsIn, type ProviderWords } from '../provider-error.ts';
import { chatTurn } from './chat-turn.ts';
import type { Chunk } from './chunk.ts';

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
        if (data === '[DONE]') return end(true);
        if (!data.trim()) return;
        const chunk = parsed(data);
        if (chunk === undefined) broken = data;
        else if (event === 'error' || chunk.error || chunk.x_groq?.error) throw told(provider, chunk, redact);
        else turn.add(chunk);
      };
      const attempt = (step: () => void) => {
        try {
          step();
        } catch (error) {
          subscriber.error(error);
        }
      };

      return source.subscribe({
        next: (message) => attempt(() => subscriber.closed || read(message)),
        error: (error: unknown) => subscriber.error(error),
        complete: () => attempt(() => subscriber.closed || end(false)),
      });
    });
}

function parsed(data: string): Chunk | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function told(provider: string, chunk: Chunk, redact: (text: string) => string): Error {
  const words = wordsIn(chunk.error ? chunk : { error: chunk.x_groq?.error ?? chunk }) ?? { message: 'an error without words' };
  return providerError(provider, JSON.parse(redact(JSON.stringify(words))) as ProviderWords);
}

function malformed(provider: string, data: string): Error {
  const shown = data.length > 200 ? `${data.slice(0, 200)}…` : data;
  return new ChatModelError(`${provider}: an event of the stream is no JSON object: ${shown}`, {
    kind: 'malformedResponse',
    provider,
    retryable: true,
  });
}
