import { take } from 'rxjs';
import { afterAll, describe, expect, it } from 'vitest';
import { commands } from 'vitest/browser';
import { z } from 'zod';
import { openAiChat } from '../../src/provider/openai/open-ai-chat.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { tool } from '../../src/tool/tool.ts';
import { lastOf } from '../provider/last-of.ts';
import { wireModels, type WireProvider } from '../wire/wire-models.ts';

/** What the server answers, and how fast: a piece in so many ms. */
const fixtures = [
  { match: { userMessage: 'Hello' }, response: { content: 'Hello from another origin.' }, chunkSize: 5, latency: 5 },
  { match: { userMessage: 'Talk' }, response: { content: 'and so on '.repeat(50) }, chunkSize: 10, latency: 20 },
  {
    match: { userMessage: 'Rome?', hasToolResult: false },
    response: { toolCalls: [{ id: 'A', name: 'weather', arguments: '{"city":"Rome"}' }] },
  },
  { match: { userMessage: 'Rome?', toolResultContains: 'Sun in Rome' }, response: { content: 'It is sunny.' } },
  {
    match: { userMessage: 'Refuse' },
    response: { error: { message: 'Incorrect API key provided', type: 'authentication_error' }, status: 401 },
  },
];

/** The way to each format on the server. */
const paths: Readonly<Record<WireProvider, string>> = {
  'openai-chat': '/v1',
  'openai-responses': '/v1',
  anthropic: '/v1',
  gemini: '/v1beta',
  ollama: '',
};

const weather = tool({
  name: 'weather',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => Promise.resolve(`Sun in ${city}, as seen from ${location.protocol}`),
});

afterAll(() => commands.stopModelServer());

describe.each(Object.keys(wireModels) as WireProvider[])('a page that asks a server of another origin, as %s', (provider) => {
  const service = async () => {
    const baseUrl = `${await commands.startModelServer(fixtures)}${paths[provider]}`;
    return aiService({ model: wireModels[provider]({ modelName: 'm', apiKey: 'sk-live', baseUrl }), tools: [weather] });
  };

  it('gets the text as it streams', async () => {
    const pieces: string[] = [];
    await (await service()).text('Hello').forEach((piece) => pieces.push(piece));
    expect(pieces.join('')).toBe('Hello from another origin.');
    expect(pieces.length).toBeGreaterThan(1);
  });

  it('runs the tool that the model calls, and gets the answer to its result', async () => {
    const { content, toolExecutions } = await lastOf((await service()).result('Rome?'));
    expect(toolExecutions.map(({ result }) => result)).toEqual(['Sun in Rome, as seen from http:']);
    expect(content).toBe('It is sunny.');
  });

  it('closes the request when it unsubscribes', async () => {
    await lastOf((await service()).text('Talk').pipe(take(1)));
    expect(await commands.lastAnswerEnded()).toBe('cut');
  });

  it('closes the request when it cancels an invocation that it has started', async () => {
    const running = (await service()).start('Talk');
    const leaving = running.text$.forEach(() => running.cancel('enough'));
    await expect(leaving).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' });
    expect(await commands.lastAnswerEnded()).toBe('cut');
  });

  it('is told what the server says when it refuses', async () => {
    const failure = lastOf((await service()).result('Refuse'));
    await expect(failure).rejects.toMatchObject({ kind: 'authentication', status: 401 });
    await expect(failure).rejects.toThrow('Incorrect API key provided');
  });

  it('is allowed to ask, with its key in a header', async () => {
    await lastOf((await service()).result('Hello'));
    const seen = await commands.requestsSeen();
    expect(seen.map((request) => request.split(' ')[0])).toEqual(['OPTIONS', 'POST']);
  });
});

describe('a page that a server does not allow', () => {
  it('has an error of the network', async () => {
    const model = openAiChat({ modelName: 'm', baseUrl: await commands.startClosedServer(), maxRetries: 0 });
    const failure = lastOf(aiService({ model }).result('Hello'));
    await expect(failure).rejects.toMatchObject({ name: 'ChatModelError', kind: 'network', retryable: true });
    expect(await commands.requestsSeen()).toEqual(['OPTIONS /chat/completions']);
  });
});
