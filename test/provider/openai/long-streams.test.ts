import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { openAiChat } from '../../../src/provider/openai/open-ai-chat.ts';
import { asked, request } from './answers.ts';

const megabyte = 1024 * 1024;
const encoder = new TextEncoder();

/** Bytes on the heap that are in use. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  collectGarbage();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

/** A fetch whose body is made chunk by chunk while it is read. */
function generated(chunk: (index: number) => string | undefined): typeof fetch {
  return () => {
    let index = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const text = chunk(index++);
        if (text === undefined) controller.close();
        else controller.enqueue(encoder.encode(text));
      },
    });
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  };
}

const event = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason }] })}\n\n`;

describe('a long answer', () => {
  it('[G37] is held in memory once, and not once per chunk', async () => {
    const chunks = 4000;
    const size = 8 * 1024;
    const total = chunks * size;
    const piece = (index: number) => String(index).padStart(size, 'x');
    const fetch = generated((index) =>
      index < chunks ? event({ content: piece(index) }) : index === chunks ? event({}, 'stop') : undefined,
    );
    const before = heapInUse();
    let received = 0;
    let grown = 0;
    await openAiChat({ modelName: 'm', fetch })
      .chat(request)
      .forEach((modelEvent) => {
        if (modelEvent.type === 'partialResponse') received += modelEvent.text.length;
        else if (modelEvent.type === 'completeResponse') grown = heapInUse() - before;
      });
    expect(received).toBe(total);
    expect(total).toBeGreaterThan(30 * megabyte);
    expect(grown).toBeLessThan(1.3 * total);
  });

  it('[G38] is ended with an error where a line has no end, long before memory has', async () => {
    let sent = 0;
    const fetch = generated((index) => {
      sent = index;
      return index === 0 ? 'data: {"a":"' : 'x'.repeat(64 * 1024);
    });
    const { error } = await asked(fetch, { maxEventSize: megabyte });
    expect(error).toMatchObject({
      message: `openai: an event of the stream is longer than ${megabyte} characters (maxEventSize)`,
      kind: 'malformedResponse',
      retryable: false,
    });
    expect(sent).toBeLessThan(20);
  });

  it('[G38] is ended with an error where an event has no end', async () => {
    const fetch = generated(() => `data: ${'x'.repeat(64 * 1024)}\n`);
    const { error } = await asked(fetch, { maxEventSize: megabyte });
    expect(error).toMatchObject({ kind: 'malformedResponse', retryable: false });
  });

  it('[G38] has a bound of 16 MiB for one event where none is set', async () => {
    const fetch = generated(() => `data: ${'x'.repeat(megabyte)}`);
    const { error } = await asked(fetch);
    expect((error as Error).message).toContain('longer than 16777216 characters');
  });
});
