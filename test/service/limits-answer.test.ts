import { lastValueFrom, retry } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { guardrail } from '../../src/chat/guardrail-result.ts';
import type { ChatModelEvent } from '../../src/chat/chat-model.ts';
import type { ChatRequest, ToolChoice } from '../../src/chat/chat-request.ts';
import { openAiChat } from '../../src/provider/openai/open-ai-chat.ts';
import { aiService } from '../../src/service/ai-service.ts';
import type { LimitName, Limits } from '../../src/service/limits.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import type { Tool } from '../../src/tool/types.ts';
import { stream } from '../provider/openai/answers.ts';
import { finish, text } from '../provider/openai/turns.ts';
import { answered, ways } from './each-way.ts';
import { expectValid, kept, outline, play, type Played, type Script } from './support.ts';
import { playUndoing, undoLog } from './undo-log.ts';

const tools = (marbles = 'r|') => ['a', 'b'].map((name) => scriptedTool(name, marbles));
const refusedFor = (what: string) => `The tool was not called: the limit of ${what} is reached. Answer without further calls.`;
const refused = refusedFor('tool calls');
const refusedTwin = refusedFor('calls like this one');
const then = 'answer';

const choices = ({ model }: { readonly model: { readonly requests: readonly ChatRequest[] } }) =>
  model.requests.map(({ toolChoice }) => toolChoice);

const limitOf = ({ fired }: Played): LimitName | undefined => {
  const completed = fired.find(({ type }) => type === 'completed') as { result: { limit?: LimitName } } | undefined;
  return completed?.result.limit;
};

/** The model has answered, memory is valid, and another invocation goes on with it. */
function expectAnswered(played: Played): void {
  expect(played.error).toBeUndefined();
  expect(played.values.at(-1)!.type).toBe('finalResponse');
  expectValid(kept(played.memory));
  const before = outline(kept(played.memory));
  const next = play({ rounds: ['-z|'], chatMemory: played.memory! });
  expect(next.error).toBeUndefined();
  expect(outline(next.model.requests[0]!.messages)).toEqual([...before, 'user: hello']);
}

describe("a limit whose end is an answer (then: 'answer')", () => {
  it('[G10] of 2 rounds makes exactly three requests, ends with an answer, and says what was hit', () => {
    const two = tools();
    const played = play({ rounds: ['A|', 'B|', '-z|'], tools: two, maxToolCallingRoundTrips: 2, limits: { then } });
    expect(played.model.requests).toHaveLength(3);
    expect(choices(played)).toEqual([undefined, 'auto', 'none']);
    expect(limitOf(played)).toBe('maxToolCallingRoundTrips');
    expect(played.history).toEqual(['user: hello', ...['assistant: [A]', 'A: r', 'assistant: [B]', 'B: r'], 'assistant: z']);
    expectAnswered(played);
  });

  it('keeps the specifications of the tools in the last request: the history has calls of them', () => {
    const played = play({ rounds: ['A|', '-z|'], tools: tools(), maxToolCallingRoundTrips: 1, limits: { then } });
    const [first, last] = played.model.requests;
    expect(first!.toolSpecifications!.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(last!.toolSpecifications).toEqual(first!.toolSpecifications);
  });

  it('of 0 rounds asks for an answer at once', () => {
    const played = play({ rounds: ['-z|'], tools: tools(), maxToolCallingRoundTrips: 0, limits: { then } });
    expect(choices(played)).toEqual(['none']);
    expect(limitOf(played)).toBe('maxToolCallingRoundTrips');
  });

  it('is no matter where it is not hit', () => {
    const limits = { then, toolCalls: 5, identicalToolCalls: 5, totalTokens: 1e6, duration: 1e6 } as const;
    const played = play({ rounds: ['A|', '-z|'], tools: tools(), limits });
    expect(choices(played)).toEqual([undefined, 'auto']);
    expect(limitOf(played)).toBeUndefined();
    const { result } = answered('result', { rounds: ['A|', '-z|'], tools: tools(), limits });
    expect(result).not.toHaveProperty('limit');
  });

  describe.each<[string, LimitName, Partial<Script> & { limits?: Limits }]>([
    ['rounds', 'maxToolCallingRoundTrips', { maxToolCallingRoundTrips: 1 }],
    ['tool calls', 'toolCalls', { limits: { toolCalls: 1 } }],
    ['identical tool calls', 'identicalToolCalls', { limits: { identicalToolCalls: 1 } }],
    ['tokens', 'totalTokens', { limits: { totalTokens: 100 } }],
  ])('of %s', (_, name, { limits, ...options }) => {
    const usage = { response: { tokenUsage: { totalTokens: 100 } } };
    const refuses = name === 'toolCalls' || name === 'identicalToolCalls';
    /** One call that runs, one that is too much where calls are counted, and the answer. */
    const script = {
      rounds: [{ marbles: '-A|', ...usage }, ...(refuses ? ['-B|'] : []), '-z|'],
      script: { calls: { B: { name: 'a' } } },
      ...options,
      limits: { ...limits, then } as const,
    };
    const expected = [
      'user: hello',
      'assistant: [A]',
      'A: r',
      ...(refuses ? ['assistant: [B]', `B! ${name === 'toolCalls' ? refused : refusedTwin}`] : []),
      'assistant: z',
    ];

    it.each(ways)('ends by %s in an answer, and has one last request without a choice of tools', (way) => {
      const two = tools('-r|');
      const played = answered(way, { ...script, tools: two });
      expect(played.error).toBeUndefined();
      expect(played.history).toEqual(expected);
      expect(choices(played).at(-1)).toBe('none');
      expect(choices(played).filter((choice) => choice === 'none')).toHaveLength(1);
      expect(played.result).toMatchObject({ content: 'z', finishReason: 'stop', limit: name });
      expect(two[0]!.contexts).toHaveLength(1);
    });

    it.each<[string, ToolChoice]>([
      ['required', 'required'],
      ['one tool', { name: 'a' }],
      ['auto', 'auto'],
    ])("wins over the caller's choice of %s", (_choice, toolChoice) => {
      const played = play({ ...script, tools: tools(), call: { chatRequest: { toolChoice } } });
      expect(choices(played)[0]).toEqual(toolChoice);
      expect(choices(played).at(-1)).toBe('none');
    });

    it('leaves a history that can be gone on with', () => {
      expectAnswered(play({ ...script, tools: tools() }));
    });

    it('does not run what the model calls nevertheless, and keeps it out of the events and the history', () => {
      const two = tools();
      const piece: ChatModelEvent = { type: 'partialToolCall', index: 0, id: 'X', name: 'b', partialArguments: '{' };
      const rounds = [...script.rounds.slice(0, -1), '-z:X|'];
      const calls = { ...script.script.calls, X: { name: 'b' } };
      const played = play({ ...script, rounds, script: { calls, events: { ':': piece } }, tools: two });
      expect(played.history).toEqual(expected);
      expect(two[1]!.contexts).toEqual([]);
      const { round } = played.values.at(-1)!;
      const last = played.values.filter((event) => event.round === round);
      expect(last.map(({ type }) => type)).toEqual(['partialResponse', 'finalResponse']);
      expect(last.at(-1)).toMatchObject({
        response: { aiMessage: { text: 'z', toolExecutionRequests: [] }, finishReason: 'other' },
      });
      expect(limitOf(played)).toBe(name);
      expectAnswered(played);
    });

    it('has no content where the model does nothing but call, and still leaves a valid history', () => {
      const aiMessage = {
        role: 'assistant',
        text: null,
        toolExecutionRequests: [{ id: 'X', name: 'b', arguments: '{}' }],
      } as const;
      for (const last of ['-X|', { marbles: '-|', response: { aiMessage, finishReason: 'toolExecution' as const } }]) {
        const rounds = [...script.rounds.slice(0, -1), last];
        const played = play({
          ...script,
          rounds,
          script: { calls: { ...script.script.calls, X: { name: 'b' } } },
          tools: tools(),
        });
        expect(played.history).toEqual(expected.slice(0, -1));
        expect(played.values.at(-1)).toMatchObject({ response: { aiMessage: { text: null, toolExecutionRequests: [] } } });
        expectAnswered(played);
      }
    });

    it('leaves the last word to the transformer', () => {
      const played = play({
        ...script,
        tools: tools(),
        chatRequestTransformer: (request) => (request.toolChoice === 'none' ? { ...request, toolChoice: 'auto' } : request),
      });
      expect(choices(played).at(-1)).toBe('auto');
      expect(played.history).toEqual(expected);
    });

    it('still holds when a guardrail wants another answer', () => {
      const rounds = [...script.rounds.slice(0, -1), '-y|', '-z|'];
      const played = play({
        ...script,
        rounds,
        tools: tools(),
        outputGuardrails: [({ attempt }) => (attempt === 1 ? guardrail.reprompt('bad', 'again') : guardrail.success())],
      });
      expect(choices(played).slice(-2)).toEqual(['none', 'none']);
      expect(played.history).toEqual(expected);
      expect(limitOf(played)).toBe(name);
    });
  });

  it('says nothing of a choice where there are no tools', () => {
    const played = play({ rounds: ['-z|'], maxToolCallingRoundTrips: 0, limits: { then } });
    expect(played.model.requests[0]).not.toHaveProperty('toolChoice');
  });

  it("wins over the model's own default on the wire", async () => {
    const bodies: { tool_choice?: unknown; tools?: unknown[] }[] = [];
    const fetch = (_: unknown, init?: RequestInit) => {
      bodies.push(JSON.parse(init!.body as string) as object);
      return Promise.resolve(stream(text('z'), finish('stop'), '[DONE]')());
    };
    const model = openAiChat({ modelName: 'm', fetch, defaultRequest: { toolChoice: 'required' } });
    const service = aiService({ model, tools: tools(), maxToolCallingRoundTrips: 0, limits: { then } });
    const result = await lastValueFrom(service.result('hello'), { defaultValue: undefined });
    expect(result).toMatchObject({ content: 'z', limit: 'maxToolCallingRoundTrips' });
    expect(bodies).toMatchObject([{ tool_choice: 'none' }]);
    expect(bodies[0]!.tools).toHaveLength(2);
  });

  it('refuses all calls of the round that are too many, runs those that are not, and tells of each', () => {
    const two = tools('--r|');
    const played = play({
      rounds: ['-(ABCD)|', '-z|'],
      script: { calls: { C: { name: 'a' }, D: { name: 'nobody' } } },
      tools: two,
      limits: { toolCalls: 2, then },
    });
    expect(played.marbles).toBe('-(A<aB<bA>aN>n)%(*a*b)(>a>b)z($|)');
    expect(played.history).toEqual([
      'user: hello',
      'assistant: [A B C D]',
      ...['A: r', 'B: r', `C! ${refused}`, `D! ${refused}`],
      'assistant: z',
    ]);
    expect(played.fired.filter(({ type }) => type === 'toolExecuted')).toHaveLength(4);
    expectAnswered(played);
  });

  it('of identical calls lets others of the round run', () => {
    const played = play({
      rounds: ['-(ABC)|', '-z|'],
      script: { calls: { B: { name: 'a' }, C: { name: 'b' } } },
      tools: tools(),
      limits: { identicalToolCalls: 1, then },
    });
    expect(played.history.slice(2)).toEqual(['A: r', `B! ${refusedTwin}`, 'C: r', 'assistant: z']);
    expect(limitOf(played)).toBe('identicalToolCalls');
  });

  it('asks nobody to approve what is refused', () => {
    const asked: string[] = [];
    const careful = tools().map((scripted): Tool => ({ ...scripted, needsApproval: () => true }));
    const played = play({
      rounds: ['-(AB)|', '-z|'],
      tools: careful,
      approveToolExecution: ({ id }) => asked.push(id) > 0,
      limits: { toolCalls: 1, then },
    });
    expect(asked).toEqual(['A']);
    expect(played.history.slice(2, 4)).toEqual(['A: r', `B! ${refused}`]);
  });

  it('undoes nothing for a refusal, which is no error of a tool', () => {
    const log = undoLog();
    const played = playUndoing({
      rounds: ['-(AB)|', '-z|'],
      tools: [log.undoable('a', 'r|'), log.undoable('b', 'r|')],
      limits: { toolCalls: 1, then },
    });
    expect(log.names()).toEqual([]);
    expect(played.history.at(-1)).toBe('assistant: z');
  });

  it('does not take a round with a refusal for an immediate return', () => {
    const immediate = tools().map((scripted): Tool => ({ ...scripted, returnBehavior: 'immediate' }));
    const played = play({ rounds: ['-(AB)|', '-z|'], tools: immediate, limits: { toolCalls: 1, then } });
    expect(played.model.requests).toHaveLength(2);
    expect(played.history.at(-1)).toBe('assistant: z');
  });

  it('fails with the error of the model where the last request fails, and is asked for again by whoever subscribes again', () => {
    const lost = { marbles: '-#', error: new Error('lost') };
    const options = { rounds: ['A|', lost, '-z|'], tools: tools(), maxToolCallingRoundTrips: 1, limits: { then } } as const;
    const failed = play(options);
    expect(failed.error).toEqual(new Error('lost'));
    expect(failed.history).toEqual(['user: hello', 'assistant: [A]', 'A: r']);
    const again = play({ ...options, pipe: retry<AiServiceStreamingEvent>(1) });
    expect(choices(again)).toEqual([undefined, 'none', 'none']);
    expect(limitOf(again)).toBe('maxToolCallingRoundTrips');
    expect(again.history.at(-1)).toBe('assistant: z');
  });
});
