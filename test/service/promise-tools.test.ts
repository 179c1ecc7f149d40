import { describe, expect, it } from 'vitest';
import { aiService, type AiService } from '../../src/service/ai-service.ts';
import type { AiServiceOptions } from '../../src/service/options.ts';
import type { Result } from '../../src/service/result.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { tool } from '../../src/tool/tool.ts';

/** Promises take real turns of the event loop: these tests wait for them, and for nothing else. */
const resultOf = (service: AiService) =>
  new Promise<Result<string>>((resolve, reject) => {
    service.result('hello').subscribe({ next: resolve, error: reject });
  });

const serviceOf = (rounds: readonly string[], tools: AiServiceOptions['tools'], options: Partial<AiServiceOptions> = {}) =>
  aiService({ model: scriptedModel(rounds), ...(tools && { tools }), ...options });

describe('[S63] a tool that returns a promise', () => {
  it('[S7] has its value as the result', async () => {
    const a = tool({ name: 'a', execute: () => Promise.resolve({ sum: 3 }) });
    const { toolExecutions } = await resultOf(serviceOf(['A|', '-z|'], [a]));
    expect(toolExecutions).toMatchObject([{ result: '{"sum":3}', resultObject: { sum: 3 }, hasFailed: false }]);
  });

  it('runs beside others of its round: each waits until the other has begun', async () => {
    let begun = 0;
    const all: (() => void)[] = [];
    const together = (name: string) =>
      tool({
        name,
        execute: () =>
          new Promise<string>((resolve) => {
            all.push(() => resolve(name));
            if (++begun === 2) for (const release of all) release();
          }),
      });
    const { toolExecutions } = await resultOf(serviceOf(['(AB)|', '-z|'], [together('a'), together('b')]));
    expect(toolExecutions.map(({ result }) => result)).toEqual(['a', 'b']);
  });

  it('mixes with tools of values and Observables: the results stand in request order', async () => {
    const a = tool({ name: 'a', execute: () => Promise.resolve('late') });
    const b = tool({ name: 'b', execute: () => 'at once' });
    const { toolExecutions } = await resultOf(serviceOf(['(ABC)|', '-z|'], [a, b, scriptedTool('c', '--r|')]));
    expect(toolExecutions.map(({ result }) => result)).toEqual(['late', 'at once', 'r']);
  });

  it('runs after the one before it where the concurrency is 1', async () => {
    const log: string[] = [];
    const logging = (name: string) =>
      tool({
        name,
        execute: async () => {
          log.push(`${name} begins`);
          await Promise.resolve();
          log.push(`${name} ends`);
        },
      });
    await resultOf(serviceOf(['(AB)|', '-z|'], [logging('a'), logging('b')], { toolConcurrency: 1 }));
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('may be called in several rounds', async () => {
    const a = tool({ name: 'a', execute: () => Promise.resolve('r') });
    const { intermediateResponses, toolExecutions } = await resultOf(serviceOf(['A|', 'A|', '-z|'], [a]));
    expect(intermediateResponses).toHaveLength(2);
    expect(toolExecutions.map(({ result }) => result)).toEqual(['r', 'r']);
  });

  it('[S80] serves a token stream as well', async () => {
    const told: string[] = [];
    const a = tool({ name: 'a', execute: () => Promise.resolve('r') });
    await new Promise<void>((resolve, reject) => {
      serviceOf(['A|', '-z|'], [a])
        .tokenStream('hello')
        .onToolExecuted(({ result }) => told.push(result))
        .onPartialResponse((text) => told.push(text))
        .onCompleteResponse(() => resolve())
        .onError(reject)
        .start();
    });
    expect(told).toEqual(['r', 'z']);
  });
});
