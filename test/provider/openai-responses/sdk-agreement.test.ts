import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI, { APIError } from 'openai';
import type { ParsedChatCompletion } from 'openai/resources/chat/completions';
import type { ParsedResponse } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import { fetchOf } from '../../wire/wire-case.ts';
import { outcomeOf } from '../../wire/wire-outcome.ts';

/** Streams of real providers. They are no part of the project: the variable names the folder that holds them. */
const folder = process.env['TOOLSTREAM_RECORDED'];

type Provider = 'openai-chat' | 'openai-responses';

/** What a stream comes to, in words that both readers share. */
interface Reading {
  readonly text: string;
  /** Compared on the Responses API alone: on the other, OpenAI's models don't tell it. */
  readonly thinking?: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly usage: Readonly<Record<string, unknown>>;
  readonly finish: string | undefined;
}

/** The provider told a failure: there is nothing to agree on but that. */
const failed = 'a failure that the provider told';

/** Where the SDK comes to something else, and why. */
const differing: Readonly<Record<string, string>> = {
  'openai-chat/magentic--l-test-litellm-chat-model-test-litellm-chat-model-acomplete-raises-tool-schema-parse-error.txt':
    'the finish word is stop: with us the calls decide',
  'openai-chat/magentic--del-test-mistral-chat-model-test-mistral-chat-model-acomplete-async-parallel-function-call.txt':
    'the SDK has no place for calls without an index',
  'openai-chat/magentic--i-chat-model-gemini-test-openai-chat-model-gemini-complete-return-true.-output-types1-bool.txt':
    'the SDK has no place for calls without an index',
  'openai-chat/magentic--chat-model-ollama-test-openai-chat-model-acomplete-ollama-return-true.-output-types1-bool.txt':
    'the SDK has no place for calls without an index',
  'openai-chat/magentic--penai-chat-model-gemini-test-openai-chat-model-gemini-complete-say-hello-output-types0-str.txt':
    'the SDK takes the first count, not the last, where chunks have no id',
  'openai-chat/openllmetry--writer-test-chat-test-writer-async-streaming-chat-tool-calls-legacy.txt':
    'a message beside each delta takes the place of what the SDK put together',
  'openai-responses/pydantic-ai--test-openai-responses-test-openai-responses-raw-cot-stream-openrouter.txt':
    'the SDK takes output_text of the end, which the gateway leaves empty',
};

/** What the SDK's parser stumbles over, by the error that it throws. */
const unread: Readonly<Record<string, RegExp>> = {
  'openai-chat/ruby-llm--chat-streaming-responses-gpustack-qwen3-supports-streaming-responses.txt': /missing role/,
  'openai-chat/pydantic-ai--test-snowflake-test-snowflake-model-streaming.txt': /missing finish_reason/,
  'openai-chat/llm--test-tools-streaming-test-tools-streaming-variant-a.txt': /missing finish_reason/,
  'openai-chat/llm--test-tools-streaming-test-tools-streaming-variant-b.txt': /missing finish_reason/,
  // A message beside each delta, as above.
  'openai-chat/openllmetry--writer-test-chat-test-writer-async-streaming-chat-multiple-tool-call-requests-legacy.txt':
    /no tool call snapshot/,
  'openai-chat/openllmetry--r-test-chat-test-writer-async-streaming-chat-tool-call-request-with-events-with-no-content.txt':
    /no tool call snapshot/,
  'openai-responses/ruby-llm--providers-bedrock-mantle-responses-chat-streams-through-the-responses-surface.txt':
    /Unhandled response stream event: .*response.reasoning_part.added/,
  // The response is begun without an output.
  'openai-responses/prism--openai-stream-multiple-output-items-1.txt': /output is not iterable/,
};

describe.skipIf(folder === undefined)("the official SDK's own parser, fed with the bytes of a real stream", () => {
  const files = folder === undefined ? [] : recordedOf(folder);
  const bytesIn = (file: string) => new Uint8Array(readFileSync(join(folder!, file)));
  const agreeing = files.filter(([file]) => !(file in differing) && !(file in unread));
  const named = (files_: Readonly<Record<string, unknown>>) => files.filter(([file]) => file in files_);

  it('reads nearly all of the streams', () => {
    expect(agreeing.length).toBeGreaterThan(files.length * 0.8);
    expect(named({ ...differing, ...unread })).toHaveLength(Object.keys({ ...differing, ...unread }).length);
  });

  it.each(agreeing)('comes to the same as ours: %s', async (file, provider) => {
    expect(await ours(bytesIn(file), provider)).toEqual(await theirs(bytesIn(file), provider));
  });

  it.each(named(differing))('comes to something else: %s', async (file, provider) => {
    const [own, other] = [await ours(bytesIn(file), provider), await theirs(bytesIn(file), provider)];
    expect(own, differing[file]).not.toEqual(other);
    expect(own).not.toBe(failed);
  });

  it.each(named(unread))('can not read, though ours can: %s', async (file, provider) => {
    await expect(theirs(bytesIn(file), provider)).rejects.toThrow(unread[file]);
    expect(await ours(bytesIn(file), provider)).not.toBe(failed);
  });
});

const answer = { status: 200, headers: { 'content-type': 'text/event-stream' }, endsBy: 'close' } as const;

async function ours(bytes: Uint8Array, provider: Provider): Promise<Reading | typeof failed> {
  const { events, error } = await outcomeOf(fetchOf([bytes], answer), provider);
  const last = events.at(-1);
  if (error !== undefined || last?.type !== 'completeResponse') return failed;
  const { aiMessage, finishReason, tokenUsage } = last.response;
  return {
    text: aiMessage.text ?? '',
    ...(provider === 'openai-responses' && { thinking: aiMessage.thinking ?? '' }),
    calls: aiMessage.toolExecutionRequests.map(({ id, name, arguments: written }) => ({ id, name, arguments: written })),
    usage: { ...tokenUsage },
    finish: finishReason,
  };
}

async function theirs(bytes: Uint8Array, provider: Provider): Promise<Reading | typeof failed> {
  const client = new OpenAI({ apiKey: 'none', baseURL: 'http://localhost', maxRetries: 0, fetch: fetchOf([bytes], answer) });
  try {
    return provider === 'openai-responses'
      ? ofResponse(await client.responses.stream({ model: 'm', input: 'x' }).finalResponse())
      : ofCompletion(await client.chat.completions.stream({ model: 'm', messages: [] }).finalChatCompletion());
  } catch (error) {
    if (error instanceof APIError) return failed;
    throw error;
  }
}

function ofResponse({ output, output_text, usage, incomplete_details }: ParsedResponse<null>): Reading {
  const calls = output.flatMap((item) =>
    item.type === 'function_call' ? [{ id: item.call_id, name: item.name, arguments: item.arguments }] : [],
  );
  const thoughts = output.flatMap((item) => (item.type === 'reasoning' ? [...item.summary, ...(item.content ?? [])] : []));
  return {
    text: output_text,
    thinking: thoughts.map(({ text }) => text).join(''),
    calls,
    usage: counted({
      inputTokens: usage?.input_tokens,
      outputTokens: usage?.output_tokens,
      totalTokens: usage?.total_tokens,
      cachedInputTokens: usage?.input_tokens_details?.cached_tokens,
      cacheCreationInputTokens: usage?.input_tokens_details?.cache_write_tokens,
      reasoningTokens: usage?.output_tokens_details?.reasoning_tokens,
    }),
    finish: incomplete_details?.reason === 'max_output_tokens' ? 'length' : calls.length > 0 ? 'toolExecution' : 'stop',
  };
}

const words: Readonly<Record<string, string>> = { tool_calls: 'toolExecution', content_filter: 'contentFilter' };

function ofCompletion({ choices, usage }: ParsedChatCompletion<null>): Reading {
  const { message, finish_reason } = choices[0]!;
  const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: written } }) => ({
    id,
    name,
    arguments: written,
  }));
  return {
    text: message.content ?? '',
    calls,
    usage: counted({
      inputTokens: usage?.prompt_tokens,
      outputTokens: usage?.completion_tokens,
      totalTokens: usage?.total_tokens,
      cachedInputTokens: usage?.prompt_tokens_details?.cached_tokens,
      reasoningTokens: usage?.completion_tokens_details?.reasoning_tokens,
    }),
    finish: words[finish_reason] ?? finish_reason,
  };
}

function counted(counts: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => typeof count === 'number'));
}

function recordedOf(path: string): readonly (readonly [file: string, provider: Provider])[] {
  const { streams } = JSON.parse(readFileSync(join(path, 'index.json'), 'utf8')) as {
    readonly streams: readonly { readonly file: string; readonly provider: string }[];
  };
  return streams.flatMap(({ file, provider }) =>
    provider === 'openai-chat' || provider === 'openai-responses' ? [[file, provider] as const] : [],
  );
}
