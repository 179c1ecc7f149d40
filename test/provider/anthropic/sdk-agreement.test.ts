import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import type { ContentBlock, Message } from '@anthropic-ai/sdk/resources/messages';
import { describe, expect, it } from 'vitest';
import type { ChatResponse, FinishReason } from '../../../src/chat/chat-response.ts';
import { anthropic } from '../../../src/provider/anthropic/anthropic.ts';
import { lastOf } from '../last-of.ts';
import { user } from './bodies.ts';

/** Streams of the real API. They are no part of the project: the variable names the folder that holds them. */
const folder = process.env['TOOLSTREAM_RECORDED'];

/** Where the two differ, and why. */
const differences: Readonly<Record<string, string>> = {
  'vercel-ai--anthropic-spliced-message-start.txt': 'a second message begins inside the first: both refuse it',
  'vercel-ai--anthropic-anthropic-programmatic-tool-calling.1--2.txt':
    'its one block stands in message_start, before anything streams: the SDK shows it as content, we show it raw',
  'vercel-ai--anthropic-anthropic-mcp.1.txt':
    'a call of an MCP server: the SDK knows it in its beta alone, and does not put the arguments together; we do',
  'anthropic-sdk--incomplete-partial-json-response.txt': 'the cut arguments: the SDK completes them, we keep them as they came',
};

const request = { model: 'm', max_tokens: 1, messages: [{ role: 'user' as const, content: 'x' }] };

const fetchOf = (bytes: Uint8Array<ArrayBuffer>) => () =>
  Promise.resolve(new Response(bytes, { headers: { 'content-type': 'text/event-stream' } }));

const theirs = (bytes: Uint8Array<ArrayBuffer>): Promise<Message> =>
  new Anthropic({ apiKey: 'k', fetch: fetchOf(bytes), maxRetries: 0 }).messages.stream(request).finalMessage();

async function ours(bytes: Uint8Array<ArrayBuffer>): Promise<ChatResponse> {
  const model = anthropic({ modelName: 'm', fetch: fetchOf(bytes), maxRetries: 0 });
  const last = await lastOf(model.chat({ messages: [user('x')] }));
  if (last.type !== 'completeResponse') throw new Error('the turn had no end');
  return last.response;
}

const meaning: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  tool_use: 'toolExecution',
  max_tokens: 'length',
  refusal: 'contentFilter',
};

/** What their message says, in our words. */
function outlineOfTheirs({ content, stop_reason, usage }: Message): unknown {
  const of = <T extends ContentBlock['type']>(type: T) =>
    content.filter((block): block is Extract<ContentBlock, { type: T }> => block.type === type);
  return {
    text: of('text')
      .map(({ text }) => text)
      .join(''),
    thinking: of('thinking')
      .map(({ thinking }) => thinking)
      .join(''),
    calls: of('tool_use').map(({ id, name, input }) => ({ id, name, input })),
    reason: meaning[stop_reason ?? ''],
    input: usage.input_tokens,
    output: usage.output_tokens,
    cached: usage.cache_read_input_tokens ?? undefined,
    created: usage.cache_creation_input_tokens ?? undefined,
  };
}

function outlineOfOurs({ aiMessage, finishReason, tokenUsage }: ChatResponse): unknown {
  const { text, thinking, toolExecutionRequests } = aiMessage;
  return {
    text: text ?? '',
    thinking: thinking ?? '',
    calls: toolExecutionRequests.map(({ id, name, arguments: written }) => ({
      id,
      name,
      input: JSON.parse(written || '{}') as unknown,
    })),
    reason: finishReason,
    input: tokenUsage?.inputTokens,
    output: tokenUsage?.outputTokens,
    cached: tokenUsage?.cachedInputTokens,
    created: tokenUsage?.cacheCreationInputTokens,
  };
}

/** What we keep goes back as their blocks do: the same ones, in the same order. */
const keptBlocks = ({ aiMessage }: ChatResponse) =>
  ((aiMessage.attributes?.['anthropic'] ?? []) as readonly { readonly type: string; readonly part?: unknown }[])
    .filter(({ type }) => type === 'kept')
    .map(({ part }) => part);

describe.skipIf(folder === undefined)('the official SDK reads a recorded stream as we do', () => {
  const files = folder === undefined ? [] : readdirSync(join(folder, 'anthropic'));
  const bytesOf = (file: string) => new Uint8Array(readFileSync(join(folder!, 'anthropic', file)));

  it('has some to check, and every difference is that of one of them', () => {
    expect(files.length).toBeGreaterThan(0);
    expect(files).toEqual(expect.arrayContaining(Object.keys(differences)));
  });

  it.each(files.filter((file) => !Object.hasOwn(differences, file)))('%s', async (file) => {
    const [their, our] = [await theirs(bytesOf(file)), await ours(bytesOf(file))];
    expect(outlineOfOurs(our)).toEqual(outlineOfTheirs(their));
    const plain = JSON.parse(JSON.stringify(their.content)) as readonly ContentBlock[];
    expect(keptBlocks(our)).toEqual(plain.filter(({ type }) => type !== 'text' && type !== 'tool_use'));
  });

  it('refuses, as we do, a message that begins inside another', async () => {
    const bytes = bytesOf('vercel-ai--anthropic-spliced-message-start.txt');
    await expect(theirs(bytes)).rejects.toThrow();
    await expect(ours(bytes)).rejects.toThrow('a second message began while the first was open');
  });

  it('agrees with us on all but the arguments of what an MCP server was asked', async () => {
    const bytes = bytesOf('vercel-ai--anthropic-anthropic-mcp.1.txt');
    const [their, our] = [await theirs(bytes), await ours(bytes)];
    expect(outlineOfOurs(our)).toEqual(outlineOfTheirs(their));
    expect(keptBlocks(our)).toMatchObject([
      { type: 'mcp_tool_use', input: { message: 'hello world' } },
      { type: 'mcp_tool_result' },
    ]);
  });

  it('agrees with us on all but the cut arguments of a turn that the limit ended', async () => {
    const bytes = bytesOf('anthropic-sdk--incomplete-partial-json-response.txt');
    const [their, our] = [await theirs(bytes), await ours(bytes)];
    expect(our.aiMessage.text).toBe(their.content.map((block) => (block.type === 'text' ? block.text : '')).join(''));
    expect([our.finishReason, their.stop_reason]).toEqual(['length', 'max_tokens']);
  });
});
