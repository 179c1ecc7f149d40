import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WireProvider } from './wire-models.ts';
import { byteByByte, cutInTwo, fetchOf, quickFetchOf, type Answer, type Expectation } from './wire-case.ts';
import { checkOutcome, outcomeOf, told, type Outcome } from './wire-outcome.ts';

/** Streams of real providers. They are no part of the project: the variable names the folder that holds them. */
const folder = process.env['TOOLSTREAM_RECORDED'];

interface RecordedStream {
  readonly file: string;
  readonly provider: WireProvider;
  /** Whether it is known what the stream comes to. */
  readonly judged: boolean;
  readonly expect: Expectation;
}

/** What the message of the error must say. */
const facts: Readonly<Record<string, RegExp>> = {
  'anthropic/vercel-ai--anthropic-spliced-message-start.txt': /a second message began while the first was open/,
  'openai-chat/pydantic-ai--test-groq-test-tool-use-failed-error-streaming.txt':
    /Tool call validation failed: .*missing properties: 'name'.* \(type invalid_request_error, code tool_use_failed\)/,
  'openai-chat/pydantic-ai--test-openrouter-test-openrouter-stream-error.txt': /Token limit reached \(code 400\)/,
  'openai-responses/prism--openai-stream-unknown-error-responses-1.txt': /Foobar \(code unknown-error\)/,
  'openai-responses/vercel-ai--openai-responses-openai-error.1.txt':
    /You exceeded your current quota, .* \(type insufficient_quota\)/,
};

const answerOf = (provider: WireProvider): Answer => ({
  status: 200,
  headers: { 'content-type': provider === 'ollama' ? 'application/x-ndjson' : 'text/event-stream' },
  endsBy: 'close',
});

if (folder === undefined) console.info('Recorded streams are skipped: TOOLSTREAM_RECORDED does not name their folder.');

describe.skipIf(folder === undefined)('a recorded stream comes to the same, however its bytes are cut', () => {
  const streams = folder === undefined ? [] : recordedStreams(folder);

  it('has some to check', () => {
    expect(streams.length).toBeGreaterThan(0);
  });

  describe.each(streams.map((stream) => [stream.file, stream] as const))('%s', (file, { expect: expected, provider, judged }) => {
    const answer = answerOf(provider);
    const answered = (chunks: readonly Uint8Array[]) => outcomeOf(fetchOf(chunks, answer), provider);
    const body = () => [new Uint8Array(readFileSync(join(folder!, file)))];

    const check = (outcome: Outcome) => {
      if (judged) checkOutcome(outcome, expected, facts[file]);
      else checkEnd(outcome);
    };

    it('in one piece', async () => {
      check(await answered(body()));
    });

    it('byte by byte', async () => {
      check(await answered(byteByByte(body())));
    });

    it('cut in two, in many places', async () => {
      const chunks = body();
      const uncut = told(await answered(chunks));
      for (const { offset, chunks: halves } of cutInTwo(chunks)) {
        expect(told(await outcomeOf(quickFetchOf(halves, answer), provider)), `cut at byte ${offset}`).toBe(uncut);
      }
    });
  });
});

function recordedStreams(path: string): readonly RecordedStream[] {
  const index = JSON.parse(readFileSync(join(path, 'index.json'), 'utf8')) as { readonly streams: readonly RecordedStream[] };
  return index.streams;
}

/** It is answered or fails; with a typed error, and not with both. */
function checkEnd({ events, error }: Outcome): void {
  const isAnswered = events.some(({ type }) => type === 'completeResponse');
  expect(isAnswered ? error : (error as Error | undefined)?.name).toBe(isAnswered ? undefined : 'ChatModelError');
}
