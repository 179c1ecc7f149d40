import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ProviderOptions } from '../../src/provider/provider-options.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { tool } from '../../src/tool/tool.ts';
import { lastOf } from '../provider/last-of.ts';
import { eachWithMock, hasty, time, twoRounds, weather } from './aimock.ts';
import { wireModels, type WireProvider } from '../wire/wire-models.ts';

const each = eachWithMock();

/** Where the server speaks each format. */
const paths: Readonly<Record<WireProvider, string>> = {
  'openai-chat': '/v1',
  'openai-responses': '/v1',
  anthropic: '/v1',
  gemini: '/v1beta',
  ollama: '',
};

const providers = Object.keys(wireModels) as WireProvider[];

describe.each(providers)('an invocation over HTTP in the format of %s', (provider) => {
  const model = (options: Partial<ProviderOptions> = {}) =>
    wireModels[provider]({
      modelName: 'model-x',
      apiKey: 'sk-live',
      baseUrl: `${each.mock.url}${paths[provider]}`,
      scheduler: hasty,
      timeout: { firstByte: Infinity, idle: Infinity },
      ...options,
    });

  it('runs parallel tools in two rounds and answers', async () => {
    twoRounds(each.mock);
    const result = await lastOf(aiService({ model: model(), tools: [weather, time] }).result('Where to?'));
    expect(result.content).toBe('Go to Rome.');
    expect(result.finishReason).toBe('stop');
    expect(result.toolExecutions.map(({ result: text }) => text)).toEqual([
      'Sun in Rome',
      'Noon in Rome',
      'Sun in Oslo',
      'Noon in Oslo',
    ]);
    expect(each.mock.getRequests().map(({ response }) => response.status)).toEqual([200, 200, 200]);
  });

  it('streams the text, what is said before the calls included', async () => {
    twoRounds(each.mock);
    const pieces: string[] = [];
    await aiService({ model: model(), tools: [weather, time] })
      .text('Where to?')
      .forEach((piece) => pieces.push(piece));
    expect(pieces.join('')).toBe('Looking at Rome.Looking at Oslo.Go to Rome.');
  });

  it('sends the results of the tools back so that the server knows them', async () => {
    each.mock.on(
      { userMessage: 'Rome?', hasToolResult: false },
      { toolCalls: [{ name: 'weather', arguments: '{"city":"Rome"}' }] },
    );
    each.mock.on({ userMessage: 'Rome?', toolResultContains: 'Sun in Rome' }, { content: 'It is sunny.' });
    expect((await lastOf(aiService({ model: model(), tools: [weather] }).result('Rome?'))).content).toBe('It is sunny.');
  });

  it('tells usage and, where the format has it, the reasoning as thinking', async () => {
    each.mock.onMessage('Think', {
      content: '42',
      reasoning: 'Six by seven.',
      usage: { prompt_tokens: 5, completion_tokens: 3 },
    });
    const thoughts: string[] = [];
    const service = aiService({ model: model() });
    await service.stream('Think').forEach((event) => event.type === 'partialThinking' && thoughts.push(event.text));
    const { tokenUsage } = await lastOf(service.result('Think'));
    // As Ollama this server counts nothing, and tells the thinking under a name that Ollama does not use.
    const [thought, inputTokens, outputTokens] = provider === 'ollama' ? ['', 0, 0] : ['Six by seven.', 5, 3];
    expect(thoughts.join('')).toBe(thought);
    expect(tokenUsage).toMatchObject({ inputTokens, outputTokens });
  });

  it('fails at once where the key is wrong, with the words of the provider', async () => {
    each.mock.nextRequestError(401, { message: 'Incorrect API key provided', type: 'authentication_error' });
    const failure = lastOf(aiService({ model: model() }).result('Hello'));
    await expect(failure).rejects.toMatchObject({ kind: 'authentication', status: 401, retryable: false });
    await expect(failure).rejects.toThrow('Incorrect API key provided');
    expect(each.mock.getRequests()).toHaveLength(1);
  });

  it('[G30] waits when the server is busy, and answers after all', async () => {
    each.mock.nextRequestError(429, { message: 'Slow down', type: 'rate_limit_error' });
    each.mock.onMessage('Hello', { content: 'Hi' });
    const retries: number[] = [];
    const service = aiService({ model: model() });
    await service.stream('Hello').forEach((event) => event.type === 'retry' && retries.push(event.attempt));
    expect(retries).toEqual([1]);
    expect(each.mock.getRequests().map(({ response }) => response.status)).toEqual([429, 200]);
  });

  it.each([429, 500, 503])('[G30] gives up after two retries where status %i stays', async (status) => {
    each.mock.onMessage('Hello', { error: { message: 'Not today', type: 'server_error' }, status });
    await expect(lastOf(aiService({ model: model() }).result('Hello'))).rejects.toMatchObject({
      status,
      message: expect.stringContaining('Not today') as string,
    });
    expect(each.mock.getRequests()).toHaveLength(3);
  });

  it('fails with what came when the stream is cut, and does not ask again', async () => {
    each.mock.onMessage(
      'Hello',
      { content: 'One two three four five six' },
      { truncateAfterChunks: 5, latency: 10, chunkSize: 2 },
    );
    const pieces: string[] = [];
    const failure = aiService({ model: model() })
      .text('Hello')
      .forEach((piece) => pieces.push(piece));
    await expect(failure).rejects.toMatchObject({ name: 'ChatModelError', kind: 'interrupted', retryable: true });
    expect('One two three four five six').toContain(pieces.join(''));
    if (pieces.length > 0) expect(each.mock.getRequests()).toHaveLength(1);
  });

  it('[G11] runs no tool of a round that was cut within a call', async () => {
    let runs = 0;
    const counted = tool({ name: 'time', parameters: z.object({ city: z.string() }), execute: () => ++runs });
    const call = { name: 'time', arguments: '{"city":"a town with a very long name"}' };
    // Formats that hand a call over whole are cut before it.
    const truncateAfterChunks = provider === 'gemini' || provider === 'ollama' ? 0 : 5;
    each.mock.onMessage('Hello', { toolCalls: [call] }, { truncateAfterChunks, latency: 10, chunkSize: 5 });
    const failure = lastOf(aiService({ model: model({ maxRetries: 0 }), tools: [counted] }).result('Hello'));
    await expect(failure).rejects.toMatchObject({ name: 'ChatModelError' });
    expect(runs).toBe(0);
  });

  it.each([
    ['drops every request', { dropRate: 1 }],
    ['answers nonsense', { malformedRate: 1 }],
    ['hangs up', { disconnectRate: 1 }],
    ['limits the rate', { rateLimitRate: 1 }],
  ])('ends with an error of the model where the server %s', async (_, chaos) => {
    each.mock.onMessage('Hello', { content: 'Hi' });
    each.mock.setChaos(chaos);
    await expect(lastOf(aiService({ model: model({ maxRetries: 1 }) }).result('Hello'))).rejects.toMatchObject({
      name: 'ChatModelError',
      provider: provider.replace(/-.*/, ''),
    });
  });
});
