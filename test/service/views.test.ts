import { take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatModelEvent } from '../../src/chat/chat-model.ts';
import type { TokenUsage } from '../../src/chat/token-usage.ts';
import { aiService } from '../../src/service/ai-service.ts';
import type { Result } from '../../src/service/result.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import type { Recording } from '../../src/testing/recording.ts';
import type { ScriptedRound } from '../../src/testing/scripted-answer.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { play } from './support.ts';

const serviceOf = (...rounds: (string | ScriptedRound)[]) =>
  aiService({ model: scriptedModel(rounds), tools: [scriptedTool('a', '-r|')] });

function resultOf(...rounds: (string | ScriptedRound)[]): Result<string> {
  let recording: Recording<Result<string>> | undefined;
  runMarbles(({ record }) => {
    recording = record(serviceOf(...rounds).result('hello'), () => 'x');
  });
  expect(recording!.values).toHaveLength(1);
  return recording!.values[0]!;
}

describe('text()', () => {
  it('[S1] gives the partial texts in order as they stream, and completes', () => {
    runMarbles(({ record }) => {
      record(serviceOf('-t-u--v-|').text('hello')).toBe('-t-u--v-|');
    });
  });

  it('[S6] gives the preamble of a round of tools as well as the answer', () => {
    runMarbles(({ record }) => {
      record(serviceOf('-t-A|', '-z|').text('hello')).toBe('-t----z|');
    });
  });

  it('[S6] of a silent round of tools and an answer is the answer alone', () => {
    runMarbles(({ record }) => {
      record(serviceOf('A|', '-y-z|').text('hello')).toBe('---y-z|');
    });
  });

  it('[S2] completes for a consumer that takes exactly the last text', () => {
    runMarbles(({ record }) => {
      record(serviceOf('-t-u|').text('hello').pipe(take(2))).toBe('-t-(u|)');
    });
  });

  it('gives no thoughts, and errors when the invocation fails', () => {
    runMarbles(({ record }) => {
      record(serviceOf('-~-t-#').text('hello')).toBe('---t-#');
    });
  });
});

describe('stream()', () => {
  it('[S3] of a model without tools has the partial texts and one final response', () => {
    expect(play({ rounds: ['-t-u|'] }).marbles).toBe('-t-u($|)');
  });

  it('[S4] of two rounds tells the round of tools first and the final response last', () => {
    const played = play({ rounds: ['-A|', '-z|'], tools: [scriptedTool('a', '-r|')] });
    expect(played.values.map(({ type, round }) => `${round} ${type}`)).toEqual([
      '1 completeToolCall',
      '1 beforeToolExecution',
      '1 toolProgress',
      '1 intermediateResponse',
      '1 afterToolExecution',
      '2 partialResponse',
      '2 finalResponse',
    ]);
  });

  it('[S12][S83] of two rounds of tools makes three requests and has one final response', () => {
    const played = play({ rounds: ['A|', 'A|', '-z|'], tools: [scriptedTool('a', '-r|')] });
    expect(played.model.requests).toHaveLength(3);
    expect(played.marbles.match(/\$/g)).toHaveLength(1);
  });

  it('[S5] passes raw items and retries of the model on, in their places', () => {
    const events: Record<string, ChatModelEvent> = {
      r: { type: 'raw', event: { ping: 1 } },
      y: { type: 'retry', attempt: 1, delay: 500, error: new Error('overloaded') },
    };
    const played = play({ rounds: ['-y-t-r-u|'], script: { events } });
    expect(played.marbles).toBe('-@-t-?-u($|)');
    expect(played.values[0]).toMatchObject({ type: 'retry', attempt: 1, delay: 500, error: new Error('overloaded'), round: 1 });
    expect(played.values[2]).toMatchObject({ type: 'raw', event: { ping: 1 }, round: 1 });
  });

  it('passes thoughts and pieces of calls on', () => {
    const events: Record<string, ChatModelEvent> = {
      p: { type: 'partialToolCall', index: 0, id: 'A', name: 'a', partialArguments: '{}' },
    };
    expect(play({ rounds: ['-~-p-A|', '-z|'], script: { events }, tools: [scriptedTool('a', '-r|')] }).marbles).toBe(
      '-~-:-(A<a)(*a%)>az($|)',
    );
  });

  it('fails when the model ends without a complete response', () => {
    const model = { provider: 'mute', chat: () => scriptedModel(['-t']).chat({ messages: [] }).pipe(take(1)) };
    let recording: Recording<unknown> | undefined;
    runMarbles(({ expectEvents }) => {
      recording = expectEvents(aiService({ model }).stream('hello')).toBe('-(t#)');
    });
    expect(recording!.error).toMatchObject({ name: 'ChatModelError', kind: 'malformedResponse', retryable: false });
  });
});

describe('result()', () => {
  it('[S82] has the answer, the executions, the responses and the finish reason', () => {
    const result = resultOf('-t-A|', '-z|');
    expect(result.content).toBe('z');
    expect(result.finishReason).toBe('stop');
    expect(result.finalResponse.aiMessage.text).toBe('z');
    expect(result.intermediateResponses.map(({ aiMessage }) => aiMessage.text)).toEqual(['t']);
    expect(result.toolExecutions.map(({ request, result: text, resultObject }) => [request.id, text, resultObject])).toEqual([
      ['A', 'r', 'r'],
    ]);
    expect('tokenUsage' in result).toBe(false);
  });

  it('emits once, at the end', () => {
    runMarbles(({ record }) => {
      record(serviceOf('-t-A|', '-z|').result('hello'), ({ content }) => content!).toBe('-------(z|)');
    });
  });

  it('[S61][G40] sums the usage of the rounds; what no round told stays absent, and is never 0', () => {
    const round = (marbles: string, tokenUsage?: TokenUsage) => ({ marbles, response: { tokenUsage } });
    const { tokenUsage, finalResponse } = resultOf(
      round('A|', { inputTokens: 10, outputTokens: 2, reasoningTokens: 1 }),
      round('A|'),
      round('-z|', { inputTokens: 30, outputTokens: 4, cachedInputTokens: 8 }),
    );
    expect(tokenUsage).toEqual({ inputTokens: 40, outputTokens: 6, reasoningTokens: 1, cachedInputTokens: 8 });
    expect(finalResponse.tokenUsage).toEqual(tokenUsage);
  });

  it('[G40] leaves each round its own usage', () => {
    const usage = { inputTokens: 10 };
    const { intermediateResponses } = resultOf(
      { marbles: 'A|', response: { tokenUsage: usage } },
      { marbles: '-z|', response: { tokenUsage: { inputTokens: 30 } } },
    );
    expect(intermediateResponses[0]!.tokenUsage).toEqual(usage);
  });

  it('has null for an answer without text', () => {
    expect(resultOf('-|').content).toBeNull();
  });
});
