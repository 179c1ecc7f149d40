import { lastValueFrom, of, retry } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { guardrail } from '../../src/chat/guardrail-result.ts';
import type { ToolExecutionRequest } from '../../src/chat/message.ts';
import type { ChatMemory } from '../../src/memory/chat-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { toolArgumentsErrorHandler, toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import { executorTool } from '../../src/tool/executor-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import type { ReturnBehavior, Tool } from '../../src/tool/types.ts';
import { answered, ways } from './each-way.ts';
import { expectValid, kept, outline, play, roomyMemory, type Script } from './support.ts';
import { playUndoing, rolledBack, undoLog } from './undo-log.ts';

/** I: immediate, L: immediate if last, T: to the LLM; and whether the results of such a round are the answer. */
const matrix: readonly (readonly [string, boolean])[] = [
  ['T', false],
  ['TT', false],
  ['I', true],
  ['II', true],
  ['TI', false],
  ['IT', false],
  ['L', true],
  ['LL', true],
  ['TL', true],
  ['LT', false],
  ['IL', true],
  ['LI', true],
  ['TIL', true],
  ['TLI', false],
  ['ITL', true],
  ['ILT', false],
  ['LTI', false],
  ['LIT', false],
];

const behaviors: Readonly<Record<string, ReturnBehavior>> = { I: 'immediate', L: 'immediateIfLast', T: 'toLlm' };

const withBehavior = (scripted: Tool, returnBehavior: ReturnBehavior): Tool => ({ ...scripted, returnBehavior });
const immediate = (name: string, marbles = '-r|') => withBehavior(scriptedTool(name, marbles), 'immediate');

/** Calls A, B and C of tools with these behaviours, in one round; then, if it is asked again, the model answers. */
function roundOf(combination: string, calls: Readonly<Record<string, Partial<ToolExecutionRequest>>> = {}) {
  const named = Object.fromEntries(
    [...combination].map((kind, place) => {
      const id = 'ABC'.charAt(place);
      return [id, { name: kind.toLowerCase(), ...calls[id] }];
    }),
  );
  return { rounds: [`-(${'ABC'.slice(0, combination.length)})|`, '-z|'], script: { calls: named } };
}

/** The tools i, l and t. They fail on demand of the call's arguments, and of those who approve. */
const tools = Object.entries(behaviors).map(([kind, returnBehavior]) =>
  tool({
    name: kind.toLowerCase(),
    parameters: z.object({ n: z.number().optional(), fail: z.boolean().optional() }),
    needsApproval: true,
    returnBehavior,
    execute: ({ fail }) => {
      if (fail) throw new Error('broken');
      return of('r');
    },
  }),
);

describe('a round of tools with return behaviours', () => {
  const asIs = { tools, approveToolExecution: () => true };

  describe.each(ways)('by %s', (way) => {
    it.each(matrix)('[S130] %s: its results are the answer: %s', (combination, isAnswer) => {
      const { model, error, final } = answered(way, { ...roundOf(combination), ...asIs });
      expect(error).toBeUndefined();
      expect(model.requests).toHaveLength(isAnswer ? 1 : 2);
      if (way !== 'text') expect(final?.aiMessage.toolExecutionRequests).toHaveLength(isAnswer ? combination.length : 0);
    });
  });

  const failures: Readonly<Record<string, (id: string) => Pick<Script, 'approveToolExecution'> & { call?: object }>> = {
    'an execution error that is told': () => ({ call: { arguments: '{"fail":true}' } }),
    'an argument error': () => ({ call: { arguments: '{"n":"many"}' } }),
    'an unknown tool': () => ({ call: { name: 'nobody' } }),
    'a denied approval': (denied) => ({ approveToolExecution: ({ id }) => id !== denied }),
  };
  const cases = Object.keys(failures).flatMap((failure) => ways.map((way) => ({ failure, way })));

  it.each(cases)('[S130] by $way goes on, whatever its behaviours, with $failure in any position', ({ failure, way }) => {
    for (const [combination] of matrix) {
      for (const id of 'ABC'.slice(0, combination.length)) {
        const { call = {}, ...options } = failures[failure]!(id);
        const played = answered(way, {
          ...asIs,
          ...options,
          ...roundOf(combination, { [id]: call }),
          toolArgumentsErrorHandler: toolArgumentsErrorHandler.sendExceptionMessageToLlm(),
          toolExecutionErrorHandler: toolExecutionErrorHandler.sendExceptionMessageToLlm(),
          hallucinatedToolNameStrategy: () => 'there is no such tool',
        });
        const where = `${combination} with ${failure} in ${id}`;
        expect(played.error, where).toBeUndefined();
        expect(played.model.requests, where).toHaveLength(2);
        expect(
          played.history.filter((line) => line.startsWith(`${id}! `)),
          where,
        ).toHaveLength(1);
        expect(played.history.at(-1), where).toBe('assistant: z');
      }
    }
  });

  it.each(matrix)('[S130] that return promises, %s: its results are the answer: %s', async (combination, isAnswer) => {
    const { rounds, script } = roundOf(combination);
    const model = scriptedModel(rounds, script);
    const promising = Object.entries(behaviors).map(([kind, returnBehavior]) =>
      tool({ name: kind.toLowerCase(), returnBehavior, execute: () => Promise.resolve('r') }),
    );
    const answer$ = aiService({ model, tools: promising }).result('hello');
    const answer = await lastValueFrom(answer$, { defaultValue: undefined });
    expect(answer?.content).toBe(isAnswer ? null : 'z');
    expect(model.requests).toHaveLength(isAnswer ? 1 : 2);
  });
});

describe('an immediate return', () => {
  it('is the final response, once all tools of the round have ended', () => {
    const played = play({ rounds: ['-tA-B|', '-z|'], tools: [immediate('a', '-----r|'), immediate('b', '-r|')] });
    expect(played.marbles).toBe('-t(A<a)-(B<b)(*b%)>b*a(>a$|)');
  });

  it('shows in text() what the model said beside the calls, and no more', () => {
    expect(answered('text', { rounds: ['-tuA|'], tools: [immediate('a')] }).marbles).toBe('-tu--|');
    expect(answered('text', { rounds: ['-A|'], tools: [immediate('a')] }).marbles).toBe('---|');
  });

  it('calls back with the message that has the calls', () => {
    const played = answered('tokenStream', { rounds: ['-A|'], tools: [immediate('a')] });
    expect(played.marbles).toBe('-<a%(>a$|)');
    expect(played.final!.aiMessage.toolExecutionRequests).toEqual([{ id: 'A', name: 'a', arguments: '{}' }]);
  });

  it('has no content, the finish reason of a tool execution, and the response with the calls as the final one alone', () => {
    const { result, final } = answered('result', { rounds: ['-tA|'], tools: [immediate('a')] });
    expect(result).toMatchObject({
      content: null,
      finishReason: 'toolExecution',
      intermediateResponses: [],
      toolExecutions: [{ request: { id: 'A' }, result: 'r', resultObject: 'r', hasFailed: false }],
    });
    expect(result!.finalResponse).toEqual(final);
    expect(final).toMatchObject({
      aiMessage: { text: 't', toolExecutionRequests: [{ id: 'A', name: 'a' }] },
      finishReason: 'toolExecution',
    });
  });

  it.each(['stop', 'other', undefined] as const)(
    'has the finish reason of a tool execution also where the provider has said %s beside calls',
    (finishReason) => {
      const { result, final } = answered('result', {
        rounds: [{ marbles: '-A|', response: { finishReason: finishReason! } }],
        tools: [immediate('a')],
      });
      expect([result!.finishReason, final!.finishReason]).toEqual(['toolExecution', 'toolExecution']);
    },
  );

  it("[S131] has each tool's own object among the executions, however many there are", () => {
    const objects = { a: { city: 'Paris' }, b: null };
    const both = (['a', 'b'] as const).map((name) =>
      tool({ name, returnBehavior: 'immediate', execute: () => of(objects[name]) }),
    );
    const { result } = answered('result', { rounds: ['(AB)|'], tools: both });
    expect(result!.content).toBeNull();
    expect(result!.toolExecutions.map(({ resultObject }) => resultObject)).toEqual([objects.a, objects.b]);
  });

  it.each(ways)('[S133] [S135] by %s leaves its results in memory, and a valid conversation for the next turn', (way) => {
    const played = answered(way, { rounds: ['-t(AB)|'], tools: [immediate('a', '---r|'), immediate('b', '-r|')] });
    const turn = ['user: hello', 'assistant: t [A B]', 'A: r', 'B: r'];
    expect(played.history).toEqual(turn);
    const next = play({ rounds: ['-z|'], chatMemory: played.memory });
    expect(next.error).toBeUndefined();
    expect(outline(next.model.requests[0]!.messages)).toEqual([...turn, 'user: hello']);
    expect(next.history).toEqual([...turn, 'user: hello', 'assistant: z']);
    expectValid(kept(next.memory), 2);
  });

  it('has its results in memory, and Completed fired, before the final response goes out', () => {
    const memory = roomyMemory();
    const seen: unknown[] = [];
    play({
      rounds: ['-A|'],
      tools: [immediate('a')],
      chatMemory: memory,
      listeners: [({ type }) => type === 'completed' && seen.push(type, outline(kept(memory)).at(-1))],
    });
    expect(seen).toEqual(['completed', 'A: r']);
  });

  it('is judged by no output guardrail, and need not fit the output', () => {
    const judged: unknown[] = [];
    const judging = {
      outputGuardrails: [
        (request: unknown) => {
          judged.push(request);
          return guardrail.failure('never');
        },
      ],
      output: z.object({ city: z.string() }) as never,
    };
    for (const way of ways) {
      const { model, error, result } = answered(way, { rounds: ['-tA|'], tools: [immediate('a')], ...judging });
      expect(error).toBeUndefined();
      expect(model.requests).toHaveLength(1);
      expect(result).toMatchObject({ content: null, finishReason: 'toolExecution' });
    }
    const { values } = play({ rounds: ['-tA|'], tools: [immediate('a')], ...judging });
    expect(values.at(-1)).not.toHaveProperty('content');
    expect(judged).toEqual([]);
  });

  it('with output guardrails shows no text that was held back', () => {
    const options = { rounds: ['-tA|'], tools: [immediate('a')], outputGuardrails: [() => guardrail.success()] };
    expect(answered('text', options).marbles).toBe('----|');
    expect(play(options).marbles).toBe('--(A<a)(*a%)(>a$|)');
  });

  it.each(ways)('[S132] by %s is what a programmatic tool wants that says so, and no other', (way) => {
    const echo = (returnBehavior?: ReturnBehavior) =>
      executorTool(
        { name: 'a', parameters: { type: 'object' } },
        ({ arguments: text }) => ({ contents: [{ type: 'text', text }], isError: false }),
        { ...(returnBehavior && { returnBehavior }) },
      );
    const requestsWith = (behavior?: ReturnBehavior) =>
      answered(way, { rounds: ['-A|', '-z|'], tools: [echo(behavior)] }).model.requests.length;
    expect([requestsWith('immediate'), requestsWith('immediateIfLast'), requestsWith('toLlm'), requestsWith()]).toEqual([
      1, 1, 2, 2,
    ]);
  });

  it('after an ordinary round has the responses, executions and tokens of both', () => {
    const usage = (inputTokens: number) => ({ tokenUsage: { inputTokens, outputTokens: 1, totalTokens: inputTokens + 1 } });
    const { result, final, history } = answered('result', {
      rounds: [
        { marbles: '-tA|', response: usage(10) },
        { marbles: '-uB|', response: usage(20) },
      ],
      tools: [scriptedTool('a', 'r|'), immediate('b')],
    });
    const sum = { inputTokens: 30, outputTokens: 2, totalTokens: 32 };
    expect(result).toMatchObject({ content: null, tokenUsage: sum });
    expect(result!.intermediateResponses.map(({ aiMessage }) => aiMessage.text)).toEqual(['t']);
    expect(result!.toolExecutions.map(({ request }) => request.id)).toEqual(['A', 'B']);
    expect(final).toMatchObject({ aiMessage: { text: 'u' }, tokenUsage: sum });
    expect(history).toEqual(['user: hello', 'assistant: t [A]', 'A: r', 'assistant: u [B]', 'B: r']);
  });

  it('looks at one round alone: an immediate tool in a mixed round does not count for the next', () => {
    const played = play({ rounds: ['(AB)|', '-B|'], tools: [immediate('a'), scriptedTool('b', '-r|')] });
    expect(played.model.requests).toHaveLength(3);
  });

  it('is an answer to whatever limit of rounds there is', () => {
    const options = { rounds: ['A|'], tools: [immediate('a')], maxToolCallingRoundTrips: 1 };
    expect(play(options).error).toBeUndefined();
    const played = play({ ...options, limits: { then: 'answer' } });
    expect(played.model.requests).toHaveLength(1);
  });

  it('is none where the turn was cut', () => {
    const { result, final } = answered('result', {
      rounds: [{ marbles: '-t(AB)-|', response: { finishReason: 'length' } }],
      tools: [immediate('a', 'r|'), immediate('b', 'r|')],
    });
    expect(result).toMatchObject({ content: 't', finishReason: 'length' });
    expect(final!.finishReason).toBe('length');
  });

  it('undoes nothing, and leaves nothing to be undone', () => {
    const log = undoLog();
    const booking = withBehavior(log.undoable('a', '-r|'), 'immediate');
    const played = playUndoing({ rounds: ['-A|'], tools: [booking] });
    expect(played.marbles).toBe('-(A<a)(*a%)(>a$|)');
    expect(log.names()).toEqual([]);
    expect(played.history.at(-1)).toBe('A: r');
  });

  it('does not happen where a sibling has failed: what was done is undone, and the model is told', () => {
    const log = undoLog();
    const booking = withBehavior(log.undoable('a', '-r|'), 'immediate');
    const played = playUndoing({ rounds: ['-(AB)|', '-z|'], tools: [booking, immediate('b', '-#')] });
    expect(log.names()).toEqual(['a']);
    expect(played.history).toEqual([
      'user: hello',
      'assistant: [A B]',
      rolledBack('A', 'b failed'),
      'B! b failed',
      'assistant: z',
    ]);
  });

  it('whose results could not be written fails, and is written and returned by whoever tries again', () => {
    const memory = roomyMemory();
    let writes = 0;
    const full: ChatMemory = {
      ...memory,
      add: (messages) => {
        if (++writes === 1) throw new Error('disk full');
        return memory.add(messages);
      },
    };
    const options = { rounds: ['-A|'], tools: [immediate('a')], chatMemory: full };
    const failures: unknown[] = [];
    const again = retry<AiServiceStreamingEvent>({ delay: (error) => (failures.push(error), of(true)) });
    const played = play({ ...options, pipe: again });
    expect(failures).toEqual([new Error('disk full')]);
    expect(played.marbles).toBe('-(A<a)(*a%)(>a$|)');
    expect(played.model.requests).toHaveLength(1);
    expect(outline(kept(memory))).toEqual(['user: hello', 'assistant: [A]', 'A: r']);
  });
});
