import { Subject } from 'rxjs';
import type { ChatModelError } from '../../../src/chat/chat-model-error.ts';
import type { ChatModelEvent } from '../../../src/chat/chat-model.ts';
import type { ChatResponse } from '../../../src/chat/chat-response.ts';
import { geminiWire } from '../../../src/provider/gemini/gemini-wire.ts';
import { wireEvents, type WireEvent } from '../../../src/provider/wire-events.ts';

export interface Turn {
  readonly events: readonly ChatModelEvent[];
  readonly response: ChatResponse | undefined;
  readonly error: ChatModelError;
}

/** Reads a stream of these chunks. Made-up ids are `made-1`, `made-2`, … */
export function turnOf(...chunks: readonly object[]): Turn {
  return turnOfTexts(...chunks.map((chunk) => JSON.stringify(chunk)));
}

/** The same where it matters how the chunks are written. */
export function turnOfTexts(...chunks: readonly string[]): Turn {
  let made = 0;
  const wire = new Subject<WireEvent>();
  const events: ChatModelEvent[] = [];
  let failure: unknown;
  const options = { idGenerator: () => `made-${++made}`, redact: (text: string) => text, onDone: () => undefined };
  wire.pipe(wireEvents(geminiWire, options)).subscribe({
    next: (event) => events.push(event),
    error: (error: unknown) => {
      failure = error;
    },
  });
  for (const data of chunks) wire.next({ data });
  wire.complete();
  const last = events.at(-1);
  return {
    events,
    error: failure as ChatModelError,
    response: last?.type === 'completeResponse' ? last.response : undefined,
  };
}

/** A chunk with these parts. */
export const parts = (...content: readonly object[]) => ({
  candidates: [{ content: { role: 'model', parts: content }, index: 0 }],
});

/** The last chunk, with these parts. */
export const finish = (word: string, ...content: readonly object[]) => ({
  candidates: [{ content: { role: 'model', parts: content }, finishReason: word, index: 0 }],
});

export const text = (piece: string, thoughtSignature?: string) => ({
  text: piece,
  ...(thoughtSignature && { thoughtSignature }),
});

export const functionCall = (fields: object, thoughtSignature?: string) => ({
  functionCall: fields,
  ...(thoughtSignature && { thoughtSignature }),
});

/** The complete calls of a turn as lines: `0 add made-1 {"a":1}`. */
export const completed = ({ events }: Turn): readonly string[] =>
  events.flatMap((event) =>
    event.type === 'completeToolCall'
      ? [`${event.index} ${event.request.name} ${event.request.id} ${event.request.arguments}`]
      : [],
  );

/** The pieces of the arguments as they were told. */
export const pieces = ({ events }: Turn): readonly string[] =>
  events.flatMap((event) => (event.type === 'partialToolCall' ? [event.partialArguments] : []));
