import { NEVER, retry } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { guardrail } from '../../src/chat/guardrail-result.ts';
import type { ChatResponse } from '../../src/chat/chat-response.ts';
import type { TokenUsage } from '../../src/chat/token-usage.ts';
import type { Limits } from '../../src/service/limits.ts';
import { LimitExceededError, ToolRoundTripsExceededError } from '../../src/service/service-errors.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import { answered, ways } from './each-way.ts';
import { expectValid, kept, neutral, outline, play, type Played } from './support.ts';
import { playUndoing, toldUndone, undoLog } from './undo-log.ts';

const tools = (marbles = '-r|') => ['a', 'b', 'c', 'd'].map((name) => scriptedTool(name, marbles));

function expectLimit(error: unknown, limit: keyof Limits, value: number): void {
  expect(error).toBeInstanceOf(LimitExceededError);
  expect(error).toMatchObject({ name: 'LimitExceededError', limit });
  expect((error as Error).message).toBe(`The invocation has reached a limit: limits.${limit} is ${value}.`);
}

/** The invocation has failed, and another one goes on with what it left behind. */
function expectGoesOn({ memory }: Played): void {
  expectValid(kept(memory));
  const before = outline(kept(memory));
  const next = play({ rounds: ['-z|'], chatMemory: memory! });
  expect(next.error).toBeUndefined();
  expect(next.history).toEqual([...before, 'user: hello', 'assistant: z']);
}

describe('limits.toolCalls', () => {
  it('lets so many calls run in all rounds together, and fails at the next before its tool starts', () => {
    const four = tools();
    const played = play({ rounds: ['-(AB)|', '-C-D----|'], tools: four, limits: { toolCalls: 3 } });
    expectLimit(played.error, 'toolCalls', 3);
    expect(played.marbles).toBe('-(A<aB<b)(*a*b%)(>a>b)(C<c)*c(>c#)');
    expect(four.map(({ contexts }) => contexts.length)).toEqual([1, 1, 1, 0]);
    expect(played.history).toEqual(['user: hello', 'assistant: [A B]', 'A: r', 'B: r', 'assistant: [C]', 'C: r']);
    expect(played.firedTypes.filter((type) => type === 'toolExecuted')).toHaveLength(3);
    expect(played.firedTypes.at(-1)).toBe('error');
    expectGoesOn(played);
  });

  it('waits for the tools that run, but not for the model', () => {
    const played = play({ rounds: ['-A-B----------|'], tools: tools('-----r|'), limits: { toolCalls: 1 } });
    expect(played.marbles).toBe('-(A<a)----*a(>a#)');
    expect(played.model.subscriptions()).toEqual(['^--!']);
  });

  it('starts nothing that still waits: the model is told that it did not run', () => {
    const four = tools();
    const played = play({ rounds: ['-(ABC)|'], tools: four, limits: { toolCalls: 2 }, toolConcurrency: 1 });
    expect(played.marbles).toBe('-(A<aB)*a(>a#)');
    expect(four.map(({ contexts }) => contexts.length)).toEqual([1, 0, 0, 0]);
    expect(played.history).toEqual(['user: hello', 'assistant: [A B]', 'A: r', `B! ${neutral}`]);
    expectGoesOn(played);
  });

  it('waits for no approval any more', () => {
    const careful = tool({ name: 'a', needsApproval: true, execute: () => 'r' });
    const played = play({
      rounds: ['-A-B|'],
      tools: [careful, ...tools().slice(1)],
      approveToolExecution: () => NEVER,
      limits: { toolCalls: 1 },
    });
    expect(played.marbles).toBe('-(A!a)-#');
    expect(played.history).toEqual([]);
  });

  it('of 0 allows an answer and no tool, and leaves no trace in memory', () => {
    expect(play({ rounds: ['-t|'], tools: tools(), limits: { toolCalls: 0 } }).marbles).toBe('-t($|)');
    const played = play({ rounds: ['-tA|'], tools: tools(), limits: { toolCalls: 0 } });
    expect(played.marbles).toBe('-t#');
    expectLimit(played.error, 'toolCalls', 0);
    expect(played.history).toEqual([]);
  });

  it('counts calls of tools that there are not, calls that fail, and calls that are told in the complete response alone', () => {
    const aiMessage = {
      role: 'assistant',
      text: null,
      toolExecutionRequests: [{ id: 'C', name: 'c', arguments: '{}' }],
    } as const;
    const played = play({
      rounds: ['(XA)|', { marbles: '-|', response: { aiMessage } }],
      tools: [scriptedTool('a', '#'), scriptedTool('c', 'r|')],
      toolExecutionErrorHandler: () => 'broken',
      hallucinatedToolNameStrategy: () => 'no such tool',
      limits: { toolCalls: 2 },
    });
    expectLimit(played.error, 'toolCalls', 2);
    expect(played.history).toEqual(['user: hello', 'assistant: [X A]', 'X! no such tool', 'A! broken']);
  });

  it('yields to the failure of a call that comes first in the round', () => {
    const played = play({
      rounds: ['-(AB)|'],
      tools: [scriptedTool('a', '--#'), scriptedTool('b', 'r|')],
      limits: { toolCalls: 1 },
    });
    expect(played.error).toEqual(new Error('a failed'));
  });

  it('undoes what was done, with the limit as its reason', () => {
    const log = undoLog();
    const played = playUndoing({
      rounds: ['A|', '-(BC)|'],
      tools: [log.undoable('a', 'r|'), log.undoable('b', '--r|'), scriptedTool('c', 'r|')],
      limits: { toolCalls: 2 },
    });
    expectLimit(played.error, 'toolCalls', 2);
    expect(log.names()).toEqual(['b', 'a']);
    expect(toldUndone(played.values)).toEqual(['b: limit', 'a: limit']);
    expectGoesOn(played);
  });

  it('is a limit of one invocation: the next one has its own', () => {
    const first = play({ rounds: ['A|', '-z|'], tools: tools(), limits: { toolCalls: 1 } });
    const second = play({ rounds: ['B|', '-z|'], tools: tools(), limits: { toolCalls: 1 }, chatMemory: first.memory! });
    expect([first.error, second.error]).toEqual([undefined, undefined]);
  });

  it.each(ways)('ends an invocation by %s with the same error', (way) => {
    const { error, history, result } = answered(way, { rounds: ['A|', 'B|'], tools: tools('r|'), limits: { toolCalls: 1 } });
    expectLimit(error, 'toolCalls', 1);
    expect(history).toEqual(['user: hello', 'assistant: [A]', 'A: r']);
    expect(result).toBeUndefined();
  });

  it('goes on counting when a failed invocation is subscribed to again', () => {
    const ended = { marbles: '-#', error: new Error('lost') };
    const again = retry<AiServiceStreamingEvent>(1);
    const played = play({ rounds: ['A|', ended, 'B|'], tools: tools('r|'), limits: { toolCalls: 1 }, pipe: again });
    expectLimit(played.error, 'toolCalls', 1);
    const answers = play({ rounds: ['A|', 'B|', '-z|'], tools: tools('r|'), limits: { toolCalls: 1 }, pipe: again });
    expect(answers.error).toBeUndefined();
    expect(answers.history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });
});

describe('limits.identicalToolCalls', () => {
  /** One call a round, of the tool `a` unless the name says otherwise. */
  const playCalls = (limit: number, ...calls: readonly { name?: string; arguments?: string }[]) => {
    const letters = calls.map((_, place) => String.fromCharCode(65 + place));
    return play({
      rounds: [...letters.map((letter) => `${letter}|`), '-z|'],
      script: { calls: Object.fromEntries(letters.map((letter, place) => [letter, { name: 'a', ...calls[place] }])) },
      tools: tools('r|'),
      limits: { identicalToolCalls: limit },
    });
  };

  it('lets a call be made so often with the same arguments, in all rounds together, and fails at the next', () => {
    const same = { arguments: '{"city":"Paris"}' };
    const played = playCalls(2, same, { arguments: '{"city":"Rome"}' }, same, same);
    expectLimit(played.error, 'identicalToolCalls', 2);
    expect(played.history).toEqual(['user: hello', ...['A', 'B', 'C'].flatMap((id) => [`assistant: [${id}]`, `${id}: r`])]);
    expectGoesOn(played);
  });

  it('counts within one round, too', () => {
    const four = tools();
    const played = play({
      rounds: ['-(AB)|'],
      script: { calls: { B: { name: 'a' } } },
      tools: four,
      limits: { identicalToolCalls: 1 },
    });
    expectLimit(played.error, 'identicalToolCalls', 1);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r']);
  });

  it.each([
    ['blanks', '{"x":1,"y":[2]}', ' { "x" : 1,\n"y": [ 2 ] } '],
    ['the order of keys', '{"x":{"a":1,"b":2},"y":2}', '{"y":2,"x":{"b":2,"a":1}}'],
    ['how a letter is written', '{"x":"\\u0061"}', '{"x":"a"}'],
    ['whether no arguments are said', '', '{}'],
  ])('looks past %s', (_, first, second) => {
    expectLimit(playCalls(1, { arguments: first }, { arguments: second }).error, 'identicalToolCalls', 1);
  });

  it.each([
    ['other values', '{"x":1}', '{"x":2}'],
    ['another order in a list', '{"x":[1,2]}', '{"x":[2,1]}'],
    ['a text instead of a number', '{"x":1}', '{"x":"1"}'],
    ['numbers that differ in the last of many digits', '{"x":12345678901234567890}', '{"x":12345678901234567891}'],
    ['texts that are no JSON', '{"x', '{"y'],
  ])('lets through %s', (_, first, second) => {
    expect(playCalls(1, { arguments: first }, { arguments: second }).error).toBeUndefined();
  });

  it('lets through the same arguments for another tool', () => {
    expect(playCalls(1, {}, { name: 'b' }).error).toBeUndefined();
  });
});

describe('limits.totalTokens', () => {
  const round = (marbles: string, tokenUsage?: TokenUsage): { marbles: string; response: Partial<ChatResponse> } => ({
    marbles,
    response: tokenUsage ? { tokenUsage } : {},
  });

  it('lets the tools of the round run that reaches it, and sends no further request', () => {
    const played = play({
      rounds: [round('A|', { totalTokens: 40 }), round('-tB|', { totalTokens: 60 }), '-z|'],
      tools: tools(),
      limits: { totalTokens: 100 },
    });
    expectLimit(played.error, 'totalTokens', 100);
    expect(played.model.requests).toHaveLength(2);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: t [B]', 'B: r']);
    expect(played.marbles.endsWith('(>b#)')).toBe(true);
    expectGoesOn(played);
  });

  it('does not refuse an answer that is there', () => {
    const played = play({ rounds: [round('-t|', { totalTokens: 500 })], limits: { totalTokens: 100 } });
    expect(played.marbles).toBe('-t($|)');
  });

  it.each<[string, readonly (TokenUsage | undefined)[]]>([
    [
      'input and output, where no total is told',
      [
        { inputTokens: 50, outputTokens: 10 },
        { inputTokens: 30, outputTokens: 10 },
      ],
    ],
    [
      'both, where one round tells its total and another does not',
      [
        { inputTokens: 50, outputTokens: 10, totalTokens: 60 },
        { inputTokens: 30, outputTokens: 10 },
      ],
    ],
    ['what is told, where a round tells nothing', [undefined, { totalTokens: 100 }]],
  ])('adds up %s', (_, [first, second]) => {
    const rounds = [round('A|', first), round('B|', second), '-z|'];
    const played = play({ rounds, tools: tools('r|'), limits: { totalTokens: 100 } });
    expectLimit(played.error, 'totalTokens', 100);
    expect(played.model.requests).toHaveLength(2);
  });

  it('is never reached where no tokens are told', () => {
    const played = play({ rounds: ['A|', 'B|', '-z|'], tools: tools('r|'), limits: { totalTokens: 1 } });
    expect(played.error).toBeUndefined();
  });

  it('also ends an invocation whose answer a guardrail wants once more', () => {
    const played = play({
      rounds: [round('-t|', { totalTokens: 100 }), '-z|'],
      outputGuardrails: [() => guardrail.retry('again')],
      limits: { totalTokens: 100 },
    });
    expectLimit(played.error, 'totalTokens', 100);
    expect(played.model.requests).toHaveLength(1);
  });
});

describe('the limit of rounds', () => {
  it('is an error among the others, with a name of its own', () => {
    const { error } = play({ rounds: ['A|', 'B|'], tools: tools('r|'), maxToolCallingRoundTrips: 1 });
    expect(error).toBeInstanceOf(ToolRoundTripsExceededError);
    expect(error).toBeInstanceOf(LimitExceededError);
    expect(error).toMatchObject({ name: 'ToolRoundTripsExceededError', limit: 'maxToolCallingRoundTrips' });
  });

  it('and other limits that are hit by the same call: the rounds are what it is told', () => {
    const { error } = play({ rounds: ['A|', 'B|'], tools: tools('r|'), maxToolCallingRoundTrips: 1, limits: { toolCalls: 1 } });
    expect(error).toMatchObject({ limit: 'maxToolCallingRoundTrips' });
  });
});

describe('limits', () => {
  it.each([
    [{ toolCalls: -1 }, 'aiService: limits: toolCalls is -1; it must be a whole number from 0 up.'],
    [{ toolCalls: 1.5 }, 'aiService: limits: toolCalls is 1.5; it must be a whole number from 0 up.'],
    [{ identicalToolCalls: 0 }, 'aiService: limits: identicalToolCalls is 0; it must be a whole number from 1 up.'],
    [{ totalTokens: '9' }, 'aiService: limits: totalTokens is "9"; it must be a whole number from 1 up.'],
    [{ totalTokens: 0 }, 'aiService: limits: totalTokens is 0; it must be a whole number from 1 up.'],
    [{ duration: 0 }, 'aiService: limits: duration is 0; it must be a number of ms above 0.'],
    [{ duration: Number.NaN }, 'aiService: limits: duration is NaN; it must be a number of ms above 0.'],
    [{ then: 'stop' }, "aiService: limits: then is \"stop\"; it must be 'fail' or 'answer'."],
    [
      { tokens: 5 },
      'aiService: limits: unknown option tokens (did you mean totalTokens?); there are totalTokens, toolCalls, identicalToolCalls, duration, then.',
    ],
    [7, 'aiService: limits: there must be an object of options, not 7.'],
    [null, 'aiService: limits: there must be an object of options, not null.'],
  ])('that can not be, such as %j, are refused at once', (limits, message) => {
    expect(() => play({ rounds: [], limits: limits as Limits })).toThrow(message);
  });

  it.each([
    [{ maxToolResultLength: 0 }, 'aiService: maxToolResultLength is 0; it must be a whole number from 1 up.'],
    [{ roundRetries: -1 }, 'aiService: roundRetries is -1; it must be a whole number from 0 up.'],
    [{ roundRetries: 0.5 }, 'aiService: roundRetries is 0.5; it must be a whole number from 0 up.'],
    [{ maxToolCallingRoundTrips: -1 }, 'aiService: maxToolCallingRoundTrips is -1; it must be a whole number from 0 up.'],
  ])('of other kinds that can not be, such as %j, are refused as well', (options, message) => {
    expect(() => play({ rounds: [], ...options })).toThrow(message);
  });

  it('that are infinite, or none, limit nothing', () => {
    for (const limits of [{}, { totalTokens: Infinity, toolCalls: Infinity, identicalToolCalls: Infinity, duration: Infinity }]) {
      const usage = { response: { tokenUsage: { totalTokens: 1e9 } } };
      const played = play({ rounds: [{ marbles: 'A|', ...usage }, 'A|', '-z|'], tools: tools('r|'), limits });
      expect(played.error).toBeUndefined();
      expect(played.model.requests).toHaveLength(3);
    }
  });
});
