import { EMPTY, Observable, map, of, retry, throwError, timer, toArray } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import type { ToolExecutionRequest } from '../../src/chat/message.ts';
import type { Value } from '../../src/chat/value.ts';
import { aiService } from '../../src/service/ai-service.ts';
import type { AiServiceOptions, ApprovalDecision } from '../../src/service/options.ts';
import { ApprovalRequiredError } from '../../src/service/service-errors.ts';
import type { Invocation } from '../../src/service/start-invocation.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool, type ScriptedTool } from '../../src/testing/scripted-tool.ts';
import { toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import { executorTool } from '../../src/tool/executor-tool.ts';
import { ToolArgumentsError } from '../../src/tool/tool-errors.ts';
import { tool } from '../../src/tool/tool.ts';
import type { Tool, ToolContext, ToolExecution } from '../../src/tool/types.ts';
import { play, type Played, type Script } from './support.ts';
import { ended, playStarted } from './started.ts';

/** A tool that runs along a diagram, once somebody has agreed. */
const guarded = (name: string, marbles: string): ScriptedTool => ({ ...scriptedTool(name, marbles), needsApproval: true });

const rounds = ['-A|', '-z|'];

const executionsOf = ({ values }: Pick<Played, 'values'>): readonly ToolExecution[] =>
  values.flatMap((event) => (event.type === 'afterToolExecution' ? [event.execution] : []));

/** One call that needs an approval, which is decided on like this. */
function decided(approveToolExecution: () => Value<ApprovalDecision>, options: Partial<Script> = {}) {
  const a = guarded('a', '--r|');
  return { a, played: play({ rounds, tools: [a], approveToolExecution, ...options }) };
}

describe('a call that needs an approval', () => {
  it.each<[string, () => ApprovalDecision]>([
    ['true', () => true],
    ['{ approved: true }', () => ({ approved: true, reason: 'why not' })],
  ])('runs at once when approveToolExecution says %s', (_, approve) => {
    const { a, played } = decided(approve);
    expect(played.marbles).toBe('-(A!a<a)%*a>az($|)');
    expect(a.subscriptions()).toEqual(['-^--!']);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });

  it('runs when the first value of an Observable says so', () => {
    const { a, played } = decided(() => timer(5, 1).pipe(map((count) => count === 0)));
    expect(played.marbles).toBe('-(A!a)%---<a-*a>az($|)');
    expect(a.subscriptions()).toEqual(['------^--!']);
  });

  it.each([
    ['runs when a promise', true, 'A: r'],
    ['does not run when a promise', false, 'A! The call was not approved.'],
  ])('%s says %s', async (_, decision, told) => {
    const a = tool({ name: 'a', needsApproval: true, execute: () => 'r' });
    const model = scriptedModel(['A|', 'z|']);
    const service = aiService({ model, tools: [a], approveToolExecution: () => Promise.resolve(decision) });
    const result = (await ended(service.result('hello')))!;
    expect(
      result.toolExecutions.map(({ request, hasFailed, result: text }) => `${request.id}${hasFailed ? '!' : ':'} ${text}`),
    ).toEqual([told]);
    expect(result.content).toBe('z');
  });

  it('is told with its request, which survives JSON', () => {
    const { played } = decided(() => true, { script: { calls: { A: { arguments: '{"sum":5}' } } } });
    const asked = played.values.find(({ type }) => type === 'toolApprovalRequested');
    expect(JSON.parse(JSON.stringify(asked))).toMatchObject({
      type: 'toolApprovalRequested',
      request: { id: 'A', name: 'a', arguments: '{"sum":5}' },
      round: 1,
    });
  });

  it('is shown to approveToolExecution with its request and its context', () => {
    const approve = vi.fn<(request: ToolExecutionRequest, context: ToolContext) => boolean>(() => true);
    const played = play({
      rounds,
      tools: [guarded('a', 'r|')],
      approveToolExecution: approve,
      call: { parameters: { user: 7 } },
    });
    expect(approve).toHaveBeenCalledTimes(1);
    const [request, context] = approve.mock.calls[0]!;
    expect(request).toEqual({ id: 'A', name: 'a', arguments: '{}' });
    expect(context.request).toBe(request);
    expect(context.invocation).toBe(played.values[0]!.invocation);
    expect(context.parameters.get('user')).toBe(7);
    expect(context.signal.aborted).toBe(false);
  });

  it('leaves the calls of other tools alone', () => {
    const approve = vi.fn(() => false);
    const played = play({ rounds, tools: [scriptedTool('a', 'r|')], approveToolExecution: approve });
    expect(approve).not.toHaveBeenCalled();
    expect(played.marbles).not.toContain('!');
    expect(played.history[2]).toBe('A: r');
  });

  it('in a token stream waits for approveToolExecution as well', () => {
    const { a, played } = decided(() => timer(5).pipe(map(() => true)), { legacy: true });
    expect(played.marbles).toBe('-(A!a)%---<a-*a>az($|)');
    expect(a.subscriptions()).toEqual(['------^--!']);
  });
});

describe('a denied call', () => {
  it.each<[string, ApprovalDecision, string]>([
    ['false', false, 'The call was not approved.'],
    ['approved: false', { approved: false }, 'The call was not approved.'],
    ['a blank reason', { approved: false, reason: '' }, 'The call was not approved.'],
    ['a reason', { approved: false, reason: 'too dear' }, 'The call was not approved: too dear'],
  ])('with %s is an error result that tells the model so, and the run goes on', (_, decision, text) => {
    const { a, played } = decided(() => decision);
    expect(a.contexts).toEqual([]);
    expect(played.marbles).toBe('-(A!a>a)%z($|)');
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', `A! ${text}`, 'assistant: z']);
    expect(executionsOf(played)).toMatchObject([{ request: { id: 'A' }, result: text, hasFailed: true }]);
    expect(executionsOf(played)[0]).not.toHaveProperty('error');
    expect(played.fired.filter(({ type }) => type === 'toolExecuted')).toMatchObject([{ request: { id: 'A' }, isError: true }]);
  });

  it.each([false, true])('is not in the hands of an error handler (legacy: %s)', (legacy) => {
    const handler = vi.fn(() => 'handled');
    const { played } = decided(() => false, { legacy, toolArgumentsErrorHandler: handler, toolExecutionErrorHandler: handler });
    expect(handler).not.toHaveBeenCalled();
    expect(played.history[2]).toBe('A! The call was not approved.');
    expect(played.logs).toEqual([]);
  });

  it('blocks the immediate return of its round', () => {
    const tools = [
      tool({ name: 'a', needsApproval: true, returnBehavior: 'immediate', execute: () => 'r' }),
      tool({ name: 'b', returnBehavior: 'immediateIfLast', execute: () => 's' }),
    ];
    const immediate = play({ rounds: ['(AB)|'], tools, approveToolExecution: () => true });
    expect(immediate.history).toEqual(['user: hello', 'assistant: [A B]', 'A: r', 'B: s']);
    const denied = play({ rounds: ['(AB)|', '-z|'], tools, approveToolExecution: () => false });
    expect(denied.history).toEqual(['user: hello', 'assistant: [A B]', 'A! The call was not approved.', 'B: s', 'assistant: z']);
  });

  it('has nothing undone of what other tools did', () => {
    const undo = vi.fn();
    const tools = [guarded('a', '--r|'), tool({ name: 'b', execute: () => 's', compensate: undo })];
    const played = play({
      rounds: ['(BA)|', '-z|'],
      tools,
      approveToolExecution: () => ({ approved: false, reason: 'no' }),
      compensateOnToolErrors: true,
    });
    expect(undo).not.toHaveBeenCalled();
    expect(played.history.slice(2)).toEqual(['B: s', 'A! The call was not approved: no', 'assistant: z']);
  });

  it('is seen by no hook and no interceptor, for no tool has run', () => {
    const log: string[] = [];
    const { played } = decided(() => false, {
      beforeToolExecution: () => void log.push('before'),
      afterToolExecution: () => void log.push('after'),
      interceptors: { tool: [(_, __, next) => (log.push('interceptor'), next())] },
    });
    expect(log).toEqual([]);
    expect(played.marbles).toBe('-(A!a>a)%z($|)');
  });
});

describe('interceptors and hooks', () => {
  it('see a call when it is approved, and not before', () => {
    const log: string[] = [];
    const { played } = decided(() => timer(5).pipe(map(() => (log.push('approved'), true))), {
      beforeToolExecution: () => void log.push('before'),
      afterToolExecution: () => void log.push('after'),
      interceptors: { tool: [(_, __, next) => (log.push('interceptor'), next())] },
    });
    expect(log).toEqual(['approved', 'before', 'interceptor', 'after']);
    expect(played.marbles).toBe('-(A!a)%---<a-*a>az($|)');
  });
});

describe('a call that needs an approval that nobody can give', () => {
  it('fails the invocation by an error that says what to do', () => {
    const a = guarded('a', 'r|');
    const played = play({ rounds, tools: [a] });
    expect(played.marbles).toBe('-(A>a)(%#)');
    expect(played.error).toBeInstanceOf(ApprovalRequiredError);
    for (const part of ['Tool a', 'approveToolExecution', 'decideToolCall']) expect(String(played.error)).toContain(part);
    expect(a.contexts).toEqual([]);
    expect(played.history).toEqual([]);
  });

  it('gives that error to the execution handler, whose text goes to the model', () => {
    const errors: unknown[] = [];
    const played = play({
      rounds,
      tools: [guarded('a', 'r|')],
      toolExecutionErrorHandler: (error, { request }) => {
        errors.push([error, request.id]);
        return 'ask the user to do it';
      },
    });
    expect(errors).toEqual([[expect.any(ApprovalRequiredError), 'A']]);
    expect(played.history.slice(2)).toEqual(['A! ask the user to do it', 'assistant: z']);
  });

  it('in a token stream is told to the model, by the default of that mode, and logged', () => {
    const played = play({ rounds, tools: [guarded('a', 'r|')], legacy: true });
    expect(played.history[2]).toContain('A! Tool a needs an approval');
    expect(played.logs).toEqual([['warn', expect.any(String), expect.any(ApprovalRequiredError)]]);
  });

  it('fails when its turn comes, after those that run have ended', () => {
    const b = scriptedTool('b', '-----s|');
    const played = play({ rounds: ['-(BA)|', '-z|'], tools: [guarded('a', 'r|'), b] });
    expect(played.marbles).toBe('-(B<bA>a)%---*b(>b#)');
    expect(played.history).toEqual(['user: hello', 'assistant: [B A]', 'B: s', 'A! Tool execution did not complete.']);
  });
});

describe('decideToolCall()', () => {
  it('answers for an invocation that was started, and tells that it took effect', () => {
    const a = guarded('a', '--r|');
    const { marbles, answers, history } = playStarted({
      rounds,
      tools: [a],
      meanwhile: { 6: (invocation) => invocation.decideToolCall('A', true) },
    });
    expect(marbles).toBe('-(A!a)%---<a-*a>az($|)');
    expect(answers).toEqual({ 6: true });
    expect(a.subscriptions()).toEqual(['------^--!']);
    expect(history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });

  it('denies with a reason', () => {
    const { marbles, history } = playStarted({
      rounds,
      tools: [guarded('a', '--r|')],
      meanwhile: { 6: (invocation) => invocation.decideToolCall('A', { approved: false, reason: 'not today' }) },
    });
    expect(marbles).toBe('-(A!a)%--->az($|)');
    expect(history[2]).toBe('A! The call was not approved: not today');
  });

  it('takes effect once: not before anybody asks, not on other calls, not a second time', () => {
    const a = guarded('a', '--r|');
    const { answers, history } = playStarted({
      rounds: ['-B-A|', '-z|'],
      tools: [a, scriptedTool('b', '--------s|')],
      meanwhile: {
        0: (invocation) => invocation.decideToolCall('A', true),
        2: (invocation) => invocation.decideToolCall('B', true),
        4: (invocation) => [
          invocation.decideToolCall('C', true),
          invocation.decideToolCall('A', true),
          invocation.decideToolCall('A', false),
        ],
        5: (invocation) => invocation.decideToolCall('A', false),
        8: (invocation) => invocation.decideToolCall('A', false),
        50: (invocation) => invocation.decideToolCall('A', false),
      },
    });
    expect(answers).toEqual({ 0: false, 2: false, 4: [false, true, false], 5: false, 8: false, 50: false });
    expect(a.contexts).toHaveLength(1);
    expect(history.slice(2)).toEqual(['B: s', 'A: r', 'assistant: z']);
  });

  it('takes effect from inside the event that asks; others who watch hear all in order', () => {
    const { marbles } = playStarted({
      rounds,
      tools: [guarded('a', 'r|')],
      onEvent: (event, { decideToolCall }) => {
        if (event.type === 'toolApprovalRequested') expect(decideToolCall(event.request.id, true)).toBe(true);
      },
    });
    expect(marbles).toBe('-(A!a<a*a)(>a%)z($|)');
  });

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['"yes"', 'yes'],
    ['an object with ok', { ok: true }],
    ['an object with approved', { approved: 'yes' }],
    ['an object with approved, reason', { approved: true, reason: 7 }],
  ])('throws to its caller for %s, and the call still waits', (shown, decision) => {
    const { answers, history } = playStarted({
      rounds,
      tools: [guarded('a', '--r|')],
      meanwhile: {
        5: (invocation) => invocation.decideToolCall('A', decision as never),
        7: (invocation) => invocation.decideToolCall('A', true),
      },
    });
    expect(answers[5]).toBeInstanceOf(ConfigurationError);
    expect(String(answers[5])).toContain(
      `what decideToolCall was given is ${shown}; it must be true, false or { approved, reason? }`,
    );
    expect(answers[7]).toBe(true);
    expect(history[2]).toBe('A: r');
  });

  it('does not reach a call of a tool that asks for nothing', () => {
    const { answers } = playStarted({
      rounds,
      tools: [scriptedTool('a', '-----r|')],
      meanwhile: { 3: (invocation) => invocation.decideToolCall('A', false) },
    });
    expect(answers).toEqual({ 3: false });
  });
});

describe('approveToolExecution beside decideToolCall()', () => {
  /** An approver that tells when it is left. */
  function approver(answer$: Observable<ApprovalDecision>) {
    const log: string[] = [];
    const signals: AbortSignal[] = [];
    const approveToolExecution = (_: unknown, { signal }: ToolContext) => {
      signals.push(signal);
      return new Observable<ApprovalDecision>((subscriber) => {
        log.push('asked');
        subscriber.add(() => log.push('left'));
        return answer$.subscribe(subscriber);
      });
    };
    return { log, signals, approveToolExecution };
  }

  it('is unsubscribed from, its signal aborted, when the other is first', () => {
    const { log, signals, approveToolExecution } = approver(timer(10).pipe(map(() => false)));
    const { history, answers } = playStarted({
      rounds,
      tools: [guarded('a', '--r|')],
      approveToolExecution,
      meanwhile: { 4: ({ decideToolCall }) => [[...log], decideToolCall('A', true), [...log]] },
    });
    expect(answers[4]).toEqual([['asked'], true, ['asked', 'left']]);
    expect(signals[0]!.aborted).toBe(true);
    expect(history[2]).toBe('A: r');
  });

  it('decides when it is first, and its signal stays quiet', () => {
    const { log, signals, approveToolExecution } = approver(timer(3).pipe(map(() => false)));
    const { history, answers } = playStarted({
      rounds,
      tools: [guarded('a', '--r|')],
      approveToolExecution,
      meanwhile: { 8: ({ decideToolCall }) => decideToolCall('A', true) },
    });
    expect(answers[8]).toBe(false);
    expect(log).toEqual(['asked', 'left']);
    expect(signals[0]!.aborted).toBe(false);
    expect(history[2]).toBe('A! The call was not approved.');
  });

  it('is not asked any more where the event was answered at once', () => {
    const approve = vi.fn(() => false);
    const { history } = playStarted({
      rounds,
      tools: [guarded('a', '--r|')],
      approveToolExecution: approve,
      onEvent: (event, { decideToolCall }) => {
        if (event.type === 'toolApprovalRequested') decideToolCall(event.request.id, true);
      },
    });
    expect(approve).not.toHaveBeenCalled();
    expect(history[2]).toBe('A: r');
  });

  it('may itself call it, which is then the first answer', () => {
    let running: Invocation<string> | undefined;
    const calls: unknown[] = [];
    const { history } = playStarted({
      rounds,
      tools: [guarded('a', '--r|')],
      approveToolExecution: ({ id }) => (calls.push(running!.decideToolCall(id, true)), false),
      onEvent: (_, invocation) => (running = invocation),
    });
    expect(calls).toEqual([true]);
    expect(history[2]).toBe('A: r');
  });

  it('that rejects when it has lost is no unhandled rejection', async () => {
    let reject: (error: Error) => void = () => undefined;
    const service = aiService({
      model: scriptedModel(['A|', 'z|']),
      tools: [guarded('a', 'r|')],
      approveToolExecution: () => new Promise((_, no) => (reject = no)),
    });
    const invocation = service.start('hello');
    expect(invocation.decideToolCall('A', true)).toBe(true);
    reject(new Error('too late'));
    expect((await ended(invocation.result$))!.content).toBe('z');
  });
});

describe('an approveToolExecution that fails', () => {
  const broken = new Error('the desk is closed');

  const failing: readonly (readonly [string, () => Value<ApprovalDecision>, string])[] = [
    [
      'throws',
      () => {
        throw broken;
      },
      broken.message,
    ],
    ['errors', () => throwError(() => broken), broken.message],
    ['ends without an answer', () => EMPTY, 'what approveToolExecution returned is undefined'],
    ['returns nothing', () => undefined as never, 'what approveToolExecution returned is undefined'],
    ['returns no decision', () => 'yes' as never, 'what approveToolExecution returned is "yes"'],
    ['emits no decision', () => of(1) as never, 'what approveToolExecution returned is 1'],
  ];

  it.each(failing)('because it %s lets no tool run and fails the invocation', (_, approve, message) => {
    const { a, played } = decided(approve);
    expect(a.contexts).toEqual([]);
    expect(played.marbles).toBe('-(A!a>a)(%#)');
    expect((played.error as Error).message).toContain(message);
    expect(played.history).toEqual([]);
  });

  it.each(failing)('because it %s is no error of the tool: no handler tells it to the model', (_, approve, message) => {
    const handler = vi.fn(() => 'wrong');
    const { a, played } = decided(approve, { toolArgumentsErrorHandler: handler, toolExecutionErrorHandler: handler });
    expect(a.contexts).toEqual([]);
    expect(handler).not.toHaveBeenCalled();
    expect((played.error as Error).message).toContain(message);
  });

  it('by rejecting fails the invocation with its error', async () => {
    const service = aiService({
      model: scriptedModel(['A|', 'z|']),
      tools: [guarded('a', 'r|')],
      approveToolExecution: () => Promise.reject(broken),
    });
    await expect(ended(service.result('hello'))).rejects.toBe(broken);
  });

  it('is asked anew by whoever subscribes again after the error', () => {
    const answers = [() => throwError(() => broken), () => of(true)];
    const a = guarded('a', 'r|');
    const played = play({
      rounds: ['-A|', '-A|', '-z|'],
      tools: [a],
      approveToolExecution: () => answers.shift()!(),
      pipe: retry(1),
    });
    expect(played.marbles.endsWith('z($|)')).toBe(true);
    expect(a.contexts).toHaveLength(1);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });
});

describe('needsApproval', () => {
  const pay = (needsApproval: (args: { sum: number }, context: ToolContext) => Value<boolean>) =>
    tool({ name: 'a', parameters: z.object({ sum: z.number().default(1) }), needsApproval, execute: ({ sum }) => `paid ${sum}` });
  const call = (json: string) => ({ calls: { A: { arguments: json } } });

  it.each<[string, (args: { sum: number }) => Value<boolean>]>([
    ['a boolean', ({ sum }) => sum > 100],
    ['an Observable', ({ sum }) => of(sum > 100, false)],
  ])('is asked with the checked arguments of the call, and may return %s', (_, needsApproval) => {
    const tools = [pay(needsApproval)];
    const approveToolExecution = () => ({ approved: false, reason: 'too much' });
    const small = play({ rounds, tools, approveToolExecution, script: call('{"sum":"100"}') });
    expect(small.marbles).toBe('-(A<a>a)%z($|)');
    expect(small.history[2]).toBe('A: paid 100');
    const big = play({ rounds, tools, approveToolExecution, script: call('{"sum":101}') });
    expect(big.marbles).toBe('-(A!a>a)%z($|)');
    expect(big.history[2]).toBe('A! The call was not approved: too much');
    expect(play({ rounds, tools, approveToolExecution }).history[2]).toBe('A: paid 1');
  });

  it('may return a promise', async () => {
    const asked: unknown[] = [];
    const service = aiService({
      model: scriptedModel(['(AB)|', 'z|'], {
        calls: { A: { arguments: '{"sum":5}' }, B: { name: 'a', arguments: '{"sum":500}' } },
      }),
      tools: [pay(({ sum }) => Promise.resolve(sum > 100))],
      approveToolExecution: ({ id }) => (asked.push(id), true),
    });
    const { toolExecutions } = (await ended(service.result('hello')))!;
    expect(asked).toEqual(['B']);
    expect(toolExecutions.map(({ result }) => result)).toEqual(['paid 5', 'paid 500']);
  });

  it('is given the context of the call', () => {
    const contexts: ToolContext[] = [];
    const played = play({
      rounds,
      tools: [pay((_, context) => (contexts.push(context), false))],
      call: { parameters: { user: 7 } },
    });
    expect(contexts).toHaveLength(1);
    expect(contexts[0]!.request).toEqual({ id: 'A', name: 'a', arguments: '{}' });
    expect(contexts[0]!.invocation).toBe(played.values[0]!.invocation);
    expect(contexts[0]!.parameters.get('user')).toBe(7);
    expect(contexts[0]!.signal.aborted).toBe(false);
  });

  it('keeps a call waiting while it thinks; others go on', () => {
    const tools = [pay(() => timer(6).pipe(map(() => false))), scriptedTool('b', '-s|')];
    const played = play({ rounds: ['-(AB)|', '-z|'], tools });
    expect(played.marbles).toBe('-(AB<b)(*b%)>b---(<a>a)z($|)');
    expect(played.history.slice(2, 4)).toEqual(['A: paid 1', 'B: s']);
  });

  it('of false asks nobody', () => {
    const approve = vi.fn(() => false);
    const tools = [tool({ name: 'a', needsApproval: false, execute: () => 'r' })];
    expect(play({ rounds, tools, approveToolExecution: approve }).history[2]).toBe('A: r');
    expect(approve).not.toHaveBeenCalled();
  });

  it.each<[string, () => Value<boolean>]>([
    [
      'throws',
      () => {
        throw new Error('no rate for this currency');
      },
    ],
    ['errors', () => throwError(() => new Error('no rate for this currency'))],
  ])('that %s lets no tool run: the execution handler gets its error', (_, needsApproval) => {
    const approve = vi.fn(() => true);
    const tools = [pay(needsApproval)];
    const failed = play({ rounds, tools, approveToolExecution: approve });
    expect(failed.error).toEqual(new Error('no rate for this currency'));
    expect(failed.history).toEqual([]);
    const told = play({
      rounds,
      tools,
      approveToolExecution: approve,
      toolExecutionErrorHandler: toolExecutionErrorHandler.sendExceptionMessageToLlm(),
    });
    expect(told.history[2]).toBe('A! no rate for this currency');
    expect(approve).not.toHaveBeenCalled();
  });

  it.each<[string, () => Value<boolean>]>([
    ['undefined', () => undefined as never],
    ['undefined', () => EMPTY],
    ['"no"', () => 'no' as never],
    ['0', () => of(0) as never],
  ])('that answers %s is an error, and no yes to whatever the model wants', (shown, needsApproval) => {
    const execute = vi.fn();
    const played = play({ rounds, tools: [tool({ name: 'a', needsApproval, execute })], approveToolExecution: () => true });
    expect(played.error).toBeInstanceOf(ConfigurationError);
    expect(String(played.error)).toContain(`tool a: what needsApproval returned is ${shown}; it must be true or false`);
    expect(execute).not.toHaveBeenCalled();
  });

  describe('of a call whose arguments can not be used', () => {
    const bad = '{"sum":"many"}';

    it('bothers nobody: the arguments handler gets the error', () => {
      const needs = vi.fn(() => true);
      const approve = vi.fn(() => true);
      const toExecution = vi.fn(() => 'wrong handler');
      const errors: unknown[] = [];
      const played = play({
        rounds,
        tools: [pay(needs)],
        script: call(bad),
        approveToolExecution: approve,
        toolArgumentsErrorHandler: (error) => (errors.push(error), 'sum is no number'),
        toolExecutionErrorHandler: toExecution,
      });
      expect([needs, approve, toExecution].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
      expect(errors).toEqual([expect.any(ToolArgumentsError)]);
      expect(played.marbles).toBe('-(A>a)%z($|)');
      expect(played.history.slice(2)).toEqual(['A! sum is no number', 'assistant: z']);
    });

    it('bothers nobody either where every call needs an approval', () => {
      const approve = vi.fn(() => true);
      const tools = [tool({ name: 'a', parameters: z.object({ sum: z.number() }), needsApproval: true, execute: () => 'r' })];
      const played = play({ rounds, tools, script: call(bad), approveToolExecution: approve });
      expect(approve).not.toHaveBeenCalled();
      expect(played.history[2]).toMatch(/^A! .*sum/s);
      const legacy = play({ rounds, tools, script: call(bad), approveToolExecution: approve, legacy: true });
      expect(legacy.error).toBeInstanceOf(ToolArgumentsError);
      expect(approve).not.toHaveBeenCalled();
    });
  });
});

describe('tools from elsewhere', () => {
  const deny = vi.fn(() => ({ approved: false, reason: 'no' }));

  /** Runs one call of the tool a; what the model is told of it. */
  const told = (tools: readonly Tool[], more: Partial<Script> = {}) =>
    play({ rounds, tools, approveToolExecution: deny, ...more }).history[2];

  it('that read the request themselves decide on the text of the arguments', () => {
    const texts: string[] = [];
    const made = (needsApproval: boolean | ((text: string) => boolean)) =>
      executorTool(
        { name: 'a', parameters: { type: 'object' } },
        () => ({ contents: [{ type: 'text', text: 'r' }], isError: false }),
        {
          needsApproval,
        },
      );
    expect(told([made((text) => (texts.push(text), true))], { script: { calls: { A: { arguments: '{"x":' } } } })).toBe(
      'A! The call was not approved: no',
    );
    expect(texts).toEqual(['{"x":']);
    expect(told([made(true)])).toBe('A! The call was not approved: no');
    expect(told([made(() => false)])).toBe('A: r');
  });

  it('that a provider gives need their approval as well', () => {
    for (const isDynamic of [false, true])
      expect(told([], { toolProviders: [{ isDynamic, provideTools: () => [guarded('a', 'r|')] }] })).toBe(
        'A! The call was not approved: no',
      );
  });

  it('that are piped keep it', () => {
    const a = tool({ name: 'a', needsApproval: true, execute: () => 'r' });
    expect(told([a.pipe(map((result) => ({ ...result })))])).toBe('A! The call was not approved: no');
  });

  it('that are services need it before the service is asked', () => {
    const model = scriptedModel(['-y|']);
    const made = aiService({ model }).asTool({ name: 'a', needsApproval: true });
    const calls = { calls: { A: { arguments: '{"input":"hi"}' } } };
    expect(told([made], { script: calls })).toBe('A! The call was not approved: no');
    expect(model.requests).toEqual([]);
    expect(told([made], { script: calls, approveToolExecution: () => true })).toBe('A: y');
  });

  it('that are services ask for the calls of their own tools, which is progress to the outer one', () => {
    const inner = (options: Partial<AiServiceOptions>) =>
      aiService({ model: scriptedModel(['B|', 'y|']), tools: [guarded('b', 's|')], ...options }).asTool({ name: 'a' });
    const options = { rounds, script: { calls: { A: { arguments: '{"input":"hi"}' } } }, approveToolExecution: deny };
    deny.mockClear();
    const asked = play({ ...options, tools: [inner({ approveToolExecution: () => true })] });
    expect(deny).not.toHaveBeenCalled();
    expect(asked.history[2]).toBe('A: y');
    const progress = asked.values.flatMap((event) => (event.type === 'toolProgress' ? [event.value] : []));
    expect(progress).toContainEqual(expect.objectContaining({ type: 'toolApprovalRequested' }));
    expect(play({ ...options, tools: [inner({})] }).error).toBeInstanceOf(ApprovalRequiredError);
  });

  it('are asked about in the order of their calls', async () => {
    const asked: string[] = [];
    const service = aiService({
      model: scriptedModel(['(AB)|', 'z|']),
      tools: [guarded('a', 'r|'), guarded('b', 's|')],
      approveToolExecution: ({ id }) => (asked.push(id), Promise.resolve(true)),
    });
    const events = (await ended(service.stream('hello').pipe(toArray())))!;
    expect(asked).toEqual(['A', 'B']);
    expect(events.filter(({ type }) => type === 'toolApprovalRequested')).toHaveLength(2);
  });
});
