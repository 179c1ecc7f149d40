import { describe, expect, it } from 'vitest';
import { ChatModelError } from '../../src/chat/chat-model-error.ts';
import type { ChatRequest } from '../../src/chat/chat-request.ts';
import type { Content } from '../../src/chat/content.ts';
import type { ChatMessage } from '../../src/chat/message.ts';
import { lastOf } from '../provider/last-of.ts';
import { wireModels, type WireProvider } from '../wire/wire-models.ts';
import { sections } from './snippets.ts';

const user = (...contents: readonly Content[]): ChatMessage => ({
  role: 'user',
  contents: [{ type: 'text', text: 'Look' }, ...contents],
});
const media = (type: 'image' | 'audio' | 'video' | 'pdf', mediaType: string, where: 'data' | 'url'): Content =>
  where === 'data' ? { type, data: 'QUJD', mediaType } : { type, url: 'https://example.com/x', mediaType };
const toolTurn = (content: Content): readonly ChatMessage[] => [
  user(),
  { role: 'assistant', text: null, toolExecutionRequests: [{ id: 'a', name: 'look', arguments: '{}' }] },
  { role: 'tool', id: 'a', toolName: 'look', contents: [content], isError: false },
];
const look = { name: 'look', parameters: { type: 'object', properties: {} } };
const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'], additionalProperties: false };

/** What each row of the table stands for: a request that has it. */
const requests: Readonly<Record<string, Partial<ChatRequest>>> = {
  'an image, its data': { messages: [user(media('image', 'image/png', 'data'))] },
  'an image by URL': { messages: [user(media('image', 'image/png', 'url'))] },
  'a PDF, its data': { messages: [user(media('pdf', 'application/pdf', 'data'))] },
  'a PDF by URL': { messages: [user(media('pdf', 'application/pdf', 'url'))] },
  'audio, its data': { messages: [user(media('audio', 'audio/wav', 'data'))] },
  'video, its data': { messages: [user(media('video', 'video/mp4', 'data'))] },
  'an image as the result of a tool': { messages: toolTurn(media('image', 'image/png', 'data')) },
  "`toolChoice: 'none'`": { toolSpecifications: [look], toolChoice: 'none' },
  "`toolChoice: 'required'`, or one tool": { toolSpecifications: [look], toolChoice: { name: 'look' } },
  '`parallelToolCalls: false`': { toolSpecifications: [look], parallelToolCalls: false },
  '`responseFormat` with a schema': { responseFormat: { type: 'json', schema } },
  '`responseFormat` without': { responseFormat: { type: 'json' } },
  '`reasoning.effort`': { reasoning: { effort: 'low' } },
  '`reasoning.budget`': { reasoning: { budget: 2048 } },
  '`temperature`, `topP`': { temperature: 0.5 },
  '`topK`': { topK: 5 },
  '`stopSequences`': { stopSequences: ['END'] },
  '`seed`': { seed: 7 },
  '`frequencyPenalty`, `presencePenalty`': { frequencyPenalty: 0.5, presencePenalty: 0.5 },
};

/** The columns of the table. */
const columns: Readonly<Record<string, WireProvider>> = {
  '`openAiChat`': 'openai-chat',
  '`openAiResponses`': 'openai-responses',
  '`anthropic`': 'anthropic',
  '`gemini`': 'gemini',
  '`ollama`': 'ollama',
};

/** Whether such a request goes out, or is refused before. */
async function isTaken(provider: WireProvider, request: Partial<ChatRequest>): Promise<boolean> {
  let isSent = false;
  const fetch = () => {
    isSent = true;
    return Promise.reject(new Error('not answered'));
  };
  const model = wireModels[provider]({ modelName: 'm', fetch, maxRetries: 0 });
  const answer$ = model.chat({ messages: [user()], ...request });
  const error: unknown = await lastOf(answer$).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ChatModelError);
  expect((error as ChatModelError).kind).toBe(isSent ? 'network' : 'invalidRequest');
  return isSent;
}

const rows = (sections.get('Providers') ?? '')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  .filter(({ length }) => length === 1 + Object.keys(columns).length);

describe('the table of providers in the README', () => {
  const [head = [], , ...body] = rows;

  it('has a column for each provider, and a row for each kind of request', () => {
    expect(head).toEqual(['takes', ...Object.keys(columns)]);
    expect(body.map(([name]) => name)).toEqual(Object.keys(requests));
  });

  it.each(Object.entries(requests))('says who takes %s', async (name, request) => {
    const taken = await Promise.all(Object.values(columns).map((provider) => isTaken(provider, request)));
    expect(body.find(([row]) => row === name)?.slice(1)).toEqual(taken.map((yes) => (yes ? 'yes' : '–')));
  });
});
