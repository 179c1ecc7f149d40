import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openAiChat } from '../../src/provider/openai/open-ai-chat.ts';
import type { ProviderOptions } from '../../src/provider/provider-options.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { tool } from '../../src/tool/tool.ts';
import { lastOf } from '../provider/last-of.ts';
import { eachWithMock, hasty, time, twoRounds, weather } from './aimock.ts';
import { deadUrl } from './http-server.ts';

const each = eachWithMock();

const chat = (options: Partial<ProviderOptions> = {}) =>
  openAiChat({
    modelName: 'gpt-x',
    apiKey: 'sk-live',
    baseUrl: `${each.mock.url}/v1`,
    scheduler: hasty,
    timeout: { firstByte: Infinity, idle: Infinity },
    ...options,
  });

const bodies = () =>
  each.mock
    .getRequests()
    .map(({ body }) => body as unknown as { messages: readonly Record<string, unknown>[]; tools: readonly unknown[] });

describe('an invocation over HTTP', () => {
  it('runs parallel tools in two rounds and answers', async () => {
    twoRounds(each.mock);
    const result = await lastOf(aiService({ model: chat(), tools: [weather, time] }).result('Where to?'));
    expect(result.content).toBe('Go to Rome.');
    expect(result.finishReason).toBe('stop');
    expect(result.toolExecutions.map(({ request, result: text }) => `${request.id}: ${text}`)).toEqual([
      'w_Rome: Sun in Rome',
      't_Rome: Noon in Rome',
      'w_Oslo: Sun in Oslo',
      't_Oslo: Noon in Oslo',
    ]);
    expect(result.intermediateResponses.map(({ finishReason }) => finishReason)).toEqual(['toolExecution', 'toolExecution']);
    expect(bodies()).toHaveLength(3);
    expect(bodies()[2]!.messages.map(({ role, tool_call_id }) => (tool_call_id as string | undefined) ?? role)).toEqual([
      'user',
      'assistant',
      'w_Rome',
      't_Rome',
      'assistant',
      'w_Oslo',
      't_Oslo',
    ]);
    expect(bodies()[2]!.tools).toHaveLength(2);
  });

  it('[G34] serves two consumers of a started invocation with one request a round, and runs each tool once', async () => {
    twoRounds(each.mock);
    let runs = 0;
    const counted = tool({ name: 'time', parameters: z.object({ city: z.string() }), execute: () => ++runs });
    const running = aiService({ model: chat(), tools: [weather, counted] }).start('Where to?');
    const pieces: string[] = [];
    const [result] = await Promise.all([lastOf(running.result$), running.text$.forEach((piece) => pieces.push(piece))]);
    expect(result.content).toBe('Go to Rome.');
    expect(pieces.join('')).toContain('Go to Rome.');
    expect((await lastOf(running.result$)).content).toBe('Go to Rome.');
    expect(each.mock.getRequests()).toHaveLength(3);
    expect(runs).toBe(2);
  });

  it('tells the usage of all rounds, and the reasoning as thinking', async () => {
    each.mock.onMessage('Think', {
      content: '42',
      reasoning: 'Six by seven.',
      usage: { prompt_tokens: 5, completion_tokens: 3 },
    });
    const thoughts: string[] = [];
    const service = aiService({ model: chat() });
    await service.stream('Think').forEach((event) => event.type === 'partialThinking' && thoughts.push(event.text));
    expect(thoughts.join('')).toBe('Six by seven.');
    expect((await lastOf(service.result('Think'))).tokenUsage).toEqual({ inputTokens: 5, outputTokens: 3, totalTokens: 8 });
  });
});

describe('an invocation whose server fails', () => {
  it('[G30] waits when the server is busy, and answers after all', async () => {
    each.mock.nextRequestError(429, { message: 'Slow down', type: 'rate_limit_error' });
    each.mock.onMessage('Hello', { content: 'Hi' });
    const delays: number[] = [];
    await aiService({ model: chat() })
      .stream('Hello')
      .forEach((event) => event.type === 'retry' && delays.push(event.delay));
    expect(delays).toEqual([1000]);
    expect(each.mock.getRequests().map(({ response }) => response.status)).toEqual([429, 200]);
  });

  it('fails where nothing listens at the address', async () => {
    const model = chat({ baseUrl: await deadUrl() });
    await expect(lastOf(aiService({ model }).result('Hello'))).rejects.toMatchObject({
      kind: 'network',
      message: expect.stringContaining('ECONNREFUSED') as string,
    });
  });
});
