import { NEVER, Observable, map, timer } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import type { ApprovalDecision } from '../../src/service/options.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { ToolRoundTripsExceededError } from '../../src/service/service-errors.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool, type ScriptedTool } from '../../src/testing/scripted-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import type { ExecutionOrder, ToolContext } from '../../src/tool/types.ts';
import { expectValid, kept, neutral, outline, play, roomyMemory, type Script } from './support.ts';
import { playStarted } from './started.ts';

/** A tool that runs along a diagram, once somebody has agreed. */
const guarded = (name: string, marbles: string, execution: ExecutionOrder = 'parallel'): ScriptedTool => ({
  ...scriptedTool(name, marbles),
  needsApproval: true,
  execution,
});

/** Agrees after so many frames. */
const approvedAfter = (frames: number) => () => timer(frames).pipe(map(() => true));

/** Never answers, and keeps what it is asked with. */
function silentApprover() {
  const signals: AbortSignal[] = [];
  const log: string[] = [];
  const approveToolExecution = ({ id }: { id: string }, { signal }: ToolContext) => {
    signals.push(signal);
    return new Observable<ApprovalDecision>((subscriber) => {
      log.push(`${id} asked`);
      subscriber.add(() => log.push(`${id} dropped`));
      return NEVER.subscribe(subscriber);
    });
  };
  return { signals, log, approveToolExecution };
}

describe('while a call waits for its approval', () => {
  it('[G18] the free call of its round runs once and keeps its result; both results are sent together, in order', () => {
    const a = guarded('a', '--r|');
    const b = scriptedTool('b', '-s|');
    const played = playStarted({
      rounds: ['-(AB)|', '-z|'],
      tools: [a, b],
      meanwhile: { 20: ({ decideToolCall }) => decideToolCall('A', true) },
    });
    expect(played.marbles).toBe('-(A!aB<b)(*b%)>b----------------<a-*a>az($|)');
    expect([a.subscriptions(), b.subscriptions()]).toEqual([[`${'-'.repeat(20)}^--!`], ['-^-!']]);
    expect(played.model.requests).toHaveLength(2);
    expect(played.history).toEqual(['user: hello', 'assistant: [A B]', 'A: r', 'B: s', 'assistant: z']);
    expect(played.firedTypes.filter((type) => type === 'toolExecuted')).toHaveLength(2);
  });

  it('an answer that is cut is told of, since nothing else says that the model has ended; not where no call waits', () => {
    const cut = (needsApproval: boolean) => {
      const response = {
        aiMessage: { role: 'assistant', text: null, toolExecutionRequests: [] },
        finishReason: 'length',
      } as const;
      const model = scriptedModel([
        [
          { call: 'a', id: 'A' },
          { type: 'completeResponse', response },
        ],
        ['z'],
      ]);
      const asked = aiService({ model, tools: [tool({ name: 'a', needsApproval, execute: () => NEVER })] });
      const told: AiServiceStreamingEvent[] = [];
      asked.start('hello').events$.subscribe({ next: (event) => told.push(event), error: () => undefined });
      return told.filter((event) => event.type === 'answerCut');
    };
    expect(cut(true)).toMatchObject([{ round: 1, response: { finishReason: 'length' } }]);
    expect(cut(false)).toEqual([]);
  });

  it('the model goes on, and the calls that it makes later run', () => {
    const played = play({
      rounds: ['-A-t-B|', '-z|'],
      tools: [guarded('a', 'r|'), scriptedTool('b', 's|')],
      approveToolExecution: approvedAfter(20),
    });
    expect(played.marbles).toBe('-(A!a)-t-(B<b*b)(>b%)--------------(<a*a)>az($|)');
  });

  it('nothing is asked of the model', () => {
    const { model } = playStarted({ rounds: ['-A|', '-z|'], tools: [guarded('a', 'r|')] });
    expect(model.requests).toHaveLength(1);
  });

  it('others may wait too: each is decided on for itself, in any order, and answered in request order', () => {
    const tools = [guarded('a', '-r|'), guarded('b', '-s|'), guarded('c', '-q|')];
    const played = playStarted({
      rounds: ['(ABC)|', '-z|'],
      tools,
      meanwhile: {
        5: ({ decideToolCall }) => decideToolCall('C', true),
        6: ({ decideToolCall }) => decideToolCall('A', false),
        8: ({ decideToolCall }) => decideToolCall('B', true),
      },
    });
    expect(played.marbles).toBe('(A!aB!bC!c)%---<c(>a*c)>c<b*b>bz($|)');
    expect(played.history.slice(2)).toEqual(['A! The call was not approved.', 'B: s', 'C: q', 'assistant: z']);
  });

  it('it takes no place of toolConcurrency; when it is approved it queues like the others', () => {
    const tools = [guarded('a', '--r|'), scriptedTool('b', '----s|'), scriptedTool('c', '----q|')];
    playStarted({
      rounds: ['(ABC)|', '-z|'],
      tools,
      toolConcurrency: 1,
      meanwhile: { 2: ({ decideToolCall }) => decideToolCall('A', true) },
    });
    expect(tools.map((each) => each.subscriptions())).toEqual([['----------^--!'], ['^----!'], ['-----^----!']]);
  });

  it('in a token stream the next call runs, although there tools run one by one', () => {
    const tools = [guarded('a', '--r|'), scriptedTool('b', '--s|')];
    const played = play({ rounds: ['(AB)|', '-z|'], tools, approveToolExecution: approvedAfter(10), legacy: true });
    expect(tools.map((each) => each.subscriptions())).toEqual([['----------^--!'], ['^--!']]);
    expect(played.history.slice(2)).toEqual(['A: r', 'B: s', 'assistant: z']);
  });

  it('no toolTimeout runs; the tool has all its time when it starts', () => {
    const slow = play({
      rounds: ['-A|', '-z|'],
      tools: [guarded('a', '---r|')],
      approveToolExecution: approvedAfter(500),
      toolTimeout: 5,
    });
    expect(slow.history[2]).toBe('A: r');
    const tooSlow = play({
      rounds: ['-A|', '-z|'],
      tools: [guarded('a', '--------r|')],
      approveToolExecution: approvedAfter(500),
      toolTimeout: 5,
    });
    expect(tooSlow.history[2]).toBe('A! Tool a took longer than 5 ms and was stopped.');
  });

  it('the duration that limits allows stands still, and goes on when all is decided', () => {
    const run = (marbles: string) =>
      play({
        rounds: ['-A|', '-z|'],
        tools: [guarded('a', marbles)],
        approveToolExecution: approvedAfter(500),
        limits: { duration: 10 },
      });
    expect(run('---r|').history.at(-1)).toBe('assistant: z');
    expect(run('---r|').marbles).toBe('-(A!a)% 498ms <a--*a>az($|)');
    // One frame had passed when it was asked: nine are left.
    expect(run('--------------r|').marbles).toBe('-(A!a)% 498ms <a--------(>a#)');
  });

  it('the duration stands still until the last of those that wait is decided on', () => {
    const played = playStarted({
      rounds: ['-(AB)|', '-z|'],
      tools: [guarded('a', 'r|'), guarded('b', 's|')],
      limits: { duration: 10 },
      meanwhile: {
        100: ({ decideToolCall }) => decideToolCall('A', true),
        300: ({ decideToolCall }) => decideToolCall('B', true),
      },
    });
    expect(played.answers).toEqual({ 100: true, 300: true });
    expect(played.history.slice(2)).toEqual(['A: r', 'B: s', 'assistant: z']);
  });

  it('a subscriber that comes late is told that it waits, and may decide', () => {
    const late: AiServiceStreamingEvent[] = [];
    const played = playStarted({
      rounds: ['-A|', '-z|'],
      tools: [guarded('a', 'r|')],
      meanwhile: {
        30: ({ events$, decideToolCall }) => {
          events$.subscribe({ next: (event) => late.push(event), error: (error: unknown) => expect(error).toBeUndefined() });
          const asked = late.find((event) => event.type === 'toolApprovalRequested');
          return decideToolCall(asked!.request.id, true);
        },
      },
    });
    expect(played.answers).toEqual({ 30: true });
    expect(late.map(({ type }) => type)).toEqual(played.values.map(({ type }) => type));
  });
});

describe('an approved call', () => {
  it('that must be alone waits for those that run, and keeps off those that come behind it', () => {
    const tools = [guarded('a', '--r|', 'exclusive'), scriptedTool('b', '-----s|'), scriptedTool('c', '-q|')];
    playStarted({
      rounds: ['(AB)--C|', '-z|'],
      tools,
      meanwhile: { 2: ({ decideToolCall }) => decideToolCall('A', true) },
    });
    expect(tools.map((each) => each.subscriptions())).toEqual([['------^--!'], ['^-----!'], ['---------^-!']]);
  });

  it('of a tool that runs one call at a time stands behind the calls that did not have to wait', () => {
    const spans: string[] = [];
    const a = {
      ...scriptedTool('a', '---r|'),
      execution: 'sequential' as const,
      needsApproval: ({ id }: { id: string }) => id === 'A',
    };
    const played = playStarted({
      rounds: ['(ABC)|', '-z|'],
      script: { calls: { B: { name: 'a' }, C: { name: 'a' } } },
      tools: [a],
      meanwhile: { 1: ({ decideToolCall }) => decideToolCall('A', true) },
    });
    spans.push(...a.subscriptions());
    expect(spans).toEqual(['^---!', '----^---!', '--------^---!']);
    expect(a.contexts.map(({ request }) => request.id)).toEqual(['B', 'C', 'A']);
    expect(played.history.slice(2)).toEqual(['A: r', 'B: r', 'C: r', 'assistant: z']);
  });
});

describe('an invocation that ends while a call waits for its approval', () => {
  const controller = new AbortController();

  it.each<[string, Partial<Script>]>([
    ['an unsubscribe', { subscription: '^----!' }],
    ['a signal', { call: { signal: controller.signal }, meanwhile: { 5: () => controller.abort() } }],
  ])('by %s drops the question: the approver is unsubscribed from and its signal aborted', (_, end) => {
    const { signals, log, approveToolExecution } = silentApprover();
    const a = guarded('a', 'r|');
    const played = play({ rounds: ['-A|', '-z|'], tools: [a], approveToolExecution, ...end });
    expect(log).toEqual(['A asked', 'A dropped']);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(a.contexts).toEqual([]);
    expect(played.history).toEqual([]);
    expect(played.firedTypes.at(-1)).toBe('cancelled');
  });

  it('by cancel() decides nothing any more', () => {
    const a = guarded('a', 'r|');
    const played = playStarted({
      rounds: ['-A|', '-z|'],
      tools: [a],
      meanwhile: { 5: ({ cancel }) => cancel('enough'), 6: ({ decideToolCall }) => decideToolCall('A', true) },
    });
    expect(played.marbles).toBe('-(A!a)%--#');
    expect(played.answers[6]).toBe(false);
    expect(a.contexts).toEqual([]);
    expect(played.history).toEqual([]);
  });

  it('writes what a free call has done, and that the waiting one did not complete', () => {
    const played = playStarted({
      rounds: ['-(AB)|', '-z|'],
      tools: [guarded('a', 'r|'), scriptedTool('b', '-s|')],
      meanwhile: { 8: ({ cancel }) => cancel() },
    });
    expect(played.history).toEqual(['user: hello', 'assistant: [A B]', `A! ${neutral}`, 'B: s']);
    expectValid(kept(played.memory));
  });

  it('leaves its turn on the memory to the next one', () => {
    const { approveToolExecution } = silentApprover();
    const chatMemory = roomyMemory();
    runMarbles(({ expectEvents, at }) => {
      const model = scriptedModel(['-A|', '-z|']);
      const service = aiService({ model, tools: [guarded('a', 'r|')], chatMemory, approveToolExecution });
      const waiting = service.start('one');
      expectEvents(waiting.events$).toBe('-(A!a)%-------#');
      expectEvents(service.stream('two')).toBe('-----------z($|)');
      at(10, () => waiting.cancel());
    });
    expect(outline(kept(chatMemory))).toEqual(['user: two', 'assistant: z']);
  });

  it('because another tool fails waits for those that run, and asks no longer', () => {
    const { log, signals, approveToolExecution } = silentApprover();
    const broken = new Error('out of paper');
    const tools = [guarded('a', 'r|'), scriptedTool('b', '---#', { error: broken }), scriptedTool('c', '-------q|')];
    const seen: unknown[] = [];
    const meanwhile = { 3: () => seen.push([...log]), 6: () => seen.push([...log, signals[0]!.aborted]) };
    const played = play({ rounds: ['-(ABC)|', '-z|'], tools, approveToolExecution, meanwhile });
    expect(played.marbles).toBe('-(A!aB<bC<c)%->b---*c(>c#)');
    expect(played.error).toBe(broken);
    expect(seen).toEqual([['A asked'], ['A asked', 'A dropped', true]]);
    expect(played.history).toEqual(['user: hello', 'assistant: [A B C]', `A! ${neutral}`, `B! ${neutral}`, 'C: q']);
  });

  it('because another tool fails takes no decision any more, though others still run', () => {
    const tools = [guarded('a', 'r|'), scriptedTool('b', '-#'), scriptedTool('c', '-------q|')];
    const { answers } = playStarted({
      rounds: ['-(ABC)|', '-z|'],
      tools,
      meanwhile: { 5: ({ decideToolCall }) => decideToolCall('A', true) },
    });
    expect(answers).toEqual({ 5: false });
    expect(tools[0]!.contexts).toEqual([]);
  });

  it('because the model breaks fails at once, and nothing is written', () => {
    const { log, approveToolExecution } = silentApprover();
    const played = play({ rounds: ['-A--#'], tools: [guarded('a', 'r|')], approveToolExecution });
    expect(played.marbles).toBe('-(A!a)--#');
    expect(log).toEqual(['A asked', 'A dropped']);
    expect(played.history).toEqual([]);
  });

  it('has what other tools did undone, and runs nothing', () => {
    const undo = vi.fn();
    const a = guarded('a', 'r|');
    const b = tool({ name: 'b', execute: () => 's', compensate: undo });
    playStarted({
      rounds: ['-(AB)|', '-z|'],
      tools: [a, b],
      compensateOnToolErrors: true,
      meanwhile: { 5: ({ cancel }) => cancel() },
    });
    expect(undo).toHaveBeenCalledTimes(1);
    expect(a.contexts).toEqual([]);
  });
});

describe('an approval and a round that is asked for again', () => {
  it('is asked for anew: the old question is dropped, and the call of the new round is decided on', () => {
    const a = guarded('a', 'r|');
    const played = playStarted({
      rounds: ['-A-#', '-A|', '-z|'],
      tools: [a],
      roundRetries: 1,
      meanwhile: { 8: ({ decideToolCall }) => decideToolCall('A', true) },
    });
    expect(played.marbles).toBe('-(A!a)-&(A!a)%--(<a*a)>az($|)');
    expect(played.answers).toEqual({ 8: true });
    expect(a.contexts).toHaveLength(1);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });

  it('is not asked for again once the approved call has started', () => {
    const a = guarded('a', '--r|');
    const played = play({ rounds: ['-A-#', '-A|'], tools: [a], roundRetries: 1, approveToolExecution: () => true });
    expect(played.marbles).toBe('-(A!a<a)-*a(>a#)');
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r']);
  });
});

describe('a call beyond a limit', () => {
  it('of rounds bothers nobody and fails the invocation', () => {
    const approve = vi.fn(() => true);
    const played = play({
      rounds: ['-A|', '-A|'],
      tools: [guarded('a', 'r|')],
      approveToolExecution: approve,
      maxToolCallingRoundTrips: 1,
    });
    expect(played.error).toBeInstanceOf(ToolRoundTripsExceededError);
    expect(approve).toHaveBeenCalledTimes(1);
  });

  it('of calls bothers nobody where the model may still answer', () => {
    const approve = vi.fn(() => true);
    const played = play({
      rounds: ['-(AB)|', '-z|'],
      tools: [guarded('a', 'r|'), guarded('b', 's|')],
      approveToolExecution: approve,
      limits: { toolCalls: 1, then: 'answer' },
    });
    expect(approve).toHaveBeenCalledTimes(1);
    expect(played.history.slice(2, 4)).toEqual(['A: r', expect.stringContaining('B! The tool was not called')]);
    expect(played.history.at(-1)).toBe('assistant: z');
  });
});
