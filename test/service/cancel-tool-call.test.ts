import fc from 'fast-check';
import { NEVER, Observable, finalize, first, map, of, timer } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { aiService } from '../../src/service/ai-service.ts';
import type { Invocation } from '../../src/service/start-invocation.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import { tool } from '../../src/tool/tool.ts';
import type { ExecutionOrder, ToolExecution } from '../../src/tool/types.ts';
import { visibleMessage } from '../../src/tool/visible-to-llm.ts';
import { expectValid, kept, neutral, roomyMemory } from './support.ts';
import { ended, playStarted } from './started.ts';

const rounds = ['-A|', '-z|'];

const cancelled = (name: string) => `The call of ${name} was cancelled.`;

const cancelA = ({ cancelToolCall }: Invocation<string>) => cancelToolCall('A');

const executionsOf = ({ values }: ReturnType<typeof playStarted>): readonly ToolExecution[] =>
  values.flatMap((event) => (event.type === 'afterToolExecution' ? [event.execution] : []));

describe('cancelToolCall() of a call that runs', () => {
  it('unsubscribes from its tool, aborts its signal and tells the model, which goes on', () => {
    const a = scriptedTool('a', '-p--------r|');
    const played = playStarted({ rounds, tools: [a], meanwhile: { 5: cancelA } });
    expect(played.answers).toEqual({ 5: true });
    expect(played.marbles).toBe('-(A<a)(*a%)-->az($|)');
    expect(a.subscriptions()).toEqual(['-^---!']);
    expect(a.contexts[0]!.signal.aborted).toBe(true);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', `A! ${cancelled('a')}`, 'assistant: z']);
    expect(played.firedTypes.at(-1)).toBe('completed');
    expect(played.logs).toEqual([]);
  });

  it('flags its end as failed, with the error, in the stream and for those who look on', () => {
    const played = playStarted({ rounds, tools: [scriptedTool('a', '--------r|')], meanwhile: { 5: cancelA } });
    const [execution] = executionsOf(played);
    expect(execution).toMatchObject({
      request: { id: 'A' },
      result: cancelled('a'),
      hasFailed: true,
      startTime: 1,
      finishTime: 5,
    });
    expect(execution!.error).toBeInstanceOf(Error);
    expect(execution!.rawError).toBe(execution!.error);
    const [told] = played.fired.filter(({ type }) => type === 'toolExecuted');
    expect(told).toMatchObject({ isError: true, error: execution!.error });
  });

  it('aborts the signal that a promise waits for', async () => {
    let aborted = false;
    const a = tool({
      name: 'a',
      execute: (_, { signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            aborted = true;
            reject(signal.reason as Error);
          }),
        ),
    });
    const invocation = aiService({ model: scriptedModel(['A|', 'z|']), tools: [a] }).start('hello');
    const result = ended(invocation.result$);
    await ended(invocation.events$.pipe(first(({ type }) => type === 'intermediateResponse')));
    expect(cancelA(invocation)).toBe(true);
    expect(aborted).toBe(true);
    expect(await result).toMatchObject({ content: 'z' });
  });

  it('leaves its siblings alone', () => {
    const tools = [scriptedTool('a', '----------r|'), scriptedTool('b', '------s|')];
    const played = playStarted({ rounds: ['-(AB)|', '-z|'], tools, meanwhile: { 4: cancelA } });
    expect(tools[1]!.subscriptions()).toEqual(['-^------!']);
    expect(tools[1]!.contexts[0]!.signal.aborted).toBe(false);
    expect(played.history.slice(2)).toEqual([`A! ${cancelled('a')}`, 'B: s', 'assistant: z']);
  });

  it('makes room for the next one', () => {
    const tools = [scriptedTool('a', '----------r|'), scriptedTool('b', '--s|')];
    playStarted({ rounds: ['-(AB)|', '-z|'], tools, toolConcurrency: 1, meanwhile: { 4: cancelA } });
    expect(tools.map((each) => each.subscriptions())).toEqual([['-^--!'], ['----^--!']]);
  });

  it('has let go of what it holds before the next one starts', () => {
    const log: string[] = [];
    const holding = (name: string) =>
      tool({
        name,
        execution: 'exclusive',
        execute: () =>
          new Observable((subscriber) => {
            log.push(`${name} opens`);
            subscriber.add(() => log.push(`${name} closes`));
            return timer(5).subscribe(subscriber);
          }),
      });
    playStarted({ rounds: ['(AB)|', '-z|'], tools: [holding('a'), holding('b')], meanwhile: { 2: cancelA } });
    expect(log).toEqual(['a opens', 'a closes', 'b opens', 'b closes']);
  });

  it('takes effect once', () => {
    const played = playStarted({
      rounds,
      tools: [scriptedTool('a', '----------r|')],
      meanwhile: { 4: (invocation) => [cancelA(invocation), cancelA(invocation)], 5: cancelA },
    });
    expect(played.answers).toEqual({ 4: [true, false], 5: false });
    expect(executionsOf(played)).toHaveLength(1);
  });

  it('takes effect once also where the handler takes its time', () => {
    const handler = vi.fn(() => timer(5).pipe(map(() => 'stopped by the user')));
    const a = scriptedTool('a', '----------r|');
    const played = playStarted({
      rounds,
      tools: [a],
      toolExecutionErrorHandler: handler,
      meanwhile: { 4: cancelA, 6: cancelA, 9: cancelA },
    });
    expect(played.answers).toEqual({ 4: true, 6: false, 9: false });
    expect(handler).toHaveBeenCalledTimes(1);
    expect(a.subscriptions()).toEqual(['-^--!']);
    expect(played.marbles).toBe('-(A<a)%------>az($|)');
    expect(played.history[2]).toBe('A! stopped by the user');
  });

  it('fails the invocation under a handler that says so', () => {
    const b = scriptedTool('b', '------s|');
    const played = playStarted({
      rounds: ['-(AB)|', '-z|'],
      tools: [scriptedTool('a', '----------r|'), b],
      toolExecutionErrorHandler: toolExecutionErrorHandler.failInvocation(),
      meanwhile: { 4: cancelA },
    });
    expect(played.marbles).toBe('-(A<aB<b)%->a--*b(>b#)');
    expect(String(played.error)).toContain(cancelled('a'));
    expect(b.subscriptions()).toEqual(['-^------!']);
    expect(played.history).toEqual(['user: hello', 'assistant: [A B]', `A! ${neutral}`, 'B: s']);
    expect(played.firedTypes.at(-1)).toBe('error');
  });

  it('gives the execution handler an error that is visible to the model', () => {
    const texts: unknown[] = [];
    playStarted({
      rounds,
      tools: [scriptedTool('a', '----------r|')],
      toolExecutionErrorHandler: (error, context) => {
        texts.push(visibleMessage(error, context), context.request.id);
        return 'x';
      },
      meanwhile: { 4: cancelA },
    });
    expect(texts).toEqual([cancelled('a'), 'A']);
  });

  it('takes effect also while a failed round waits for the call', () => {
    const broken = new Error('out of paper');
    const tools = [scriptedTool('a', ' 200ms r|'), scriptedTool('b', '-#', { error: broken })];
    const played = playStarted({ rounds: ['-(AB)|'], tools, meanwhile: { 10: cancelA } });
    expect(played.answers).toEqual({ 10: true });
    expect(played.marbles).toBe('-(A<aB<b)(>b%)-------(>a#)');
    expect(played.error).toBe(broken);
  });

  it('has what other tools did undone, as any error of a tool has, and tells the model', () => {
    const undo = vi.fn();
    const b = tool({ name: 'b', execute: () => 's', compensate: undo });
    const played = playStarted({
      rounds: ['-(BA)|', '-z|'],
      tools: [scriptedTool('a', '----------r|'), b],
      compensateOnToolErrors: true,
      meanwhile: { 4: cancelA },
    });
    expect(undo).toHaveBeenCalledTimes(1);
    expect(played.history.slice(2)).toEqual([
      'B! b had succeeded, but it was rolled back because a failed.',
      `A! ${cancelled('a')}`,
      'assistant: z',
    ]);
  });

  it('has it undone when it succeeds all the same, though it was stopped', () => {
    const undo = vi.fn();
    const a = tool({ name: 'a', execute: () => timer(10), compensate: undo });
    const played = playStarted({ rounds, tools: [a], compensateOnToolErrors: true, meanwhile: { 4: cancelA } });
    expect(undo).toHaveBeenCalledTimes(1);
    expect(played.marbles).toBe('-(A<a)%->az($|)');
  });

  it('calls afterToolExecution, with the failed execution', () => {
    const after = vi.fn();
    playStarted({ rounds, tools: [scriptedTool('a', '----------r|')], afterToolExecution: after, meanwhile: { 4: cancelA } });
    expect(after).toHaveBeenCalledTimes(1);
    expect(after.mock.calls[0]![0]).toMatchObject({ request: { id: 'A' }, hasFailed: true });
  });

  it('takes effect from inside the teardown of its tool, which has its result: afterToolExecution is called once', () => {
    const after = vi.fn<(execution: ToolExecution) => Observable<unknown>>(() => timer(2));
    let letGo = () => {};
    const a = tool({ name: 'a', execute: () => timer(3).pipe(finalize(() => letGo())) });
    const played = playStarted({
      rounds,
      tools: [a],
      afterToolExecution: after,
      onEvent: (event, { cancelToolCall }) => {
        if (event.type === 'beforeToolExecution') letGo = () => cancelToolCall(event.request.id);
      },
    });
    expect(after.mock.calls.map(([{ result }]) => result)).toEqual([cancelled('a')]);
    expect(played.marbles).toBe('-(A<a)%-*a->az($|)');
    expect(played.history.slice(2)).toEqual([`A! ${cancelled('a')}`, 'assistant: z']);
  });

  it.each<[string, number, string]>([
    ['at once', 0, '-(A<a>a)%z($|)'],
    ['in its own time', 3, '-(A<a)%->az($|)'],
  ])(
    'takes effect from inside the event that tells of its start: the tool does not run, and a handler answers %s',
    (_, time, marbles) => {
      const a = scriptedTool('a', '----------r|');
      const played = playStarted({
        rounds,
        tools: [a],
        toolExecutionErrorHandler: ({ message }) => (time === 0 ? message : timer(time).pipe(map(() => message))),
        onEvent: (event, { cancelToolCall }) => {
          if (event.type === 'beforeToolExecution') expect(cancelToolCall(event.request.id)).toBe(true);
        },
      });
      expect(a.contexts).toEqual([]);
      expect(played.marbles).toBe(marbles);
      expect(played.history.slice(2)).toEqual([`A! ${cancelled('a')}`, 'assistant: z']);
    },
  );

  it('takes effect from inside its progress', () => {
    const a = scriptedTool('a', '-p--------r|');
    const played = playStarted({
      rounds,
      tools: [a],
      onEvent: (event, { cancelToolCall }) => {
        if (event.type === 'toolProgress') cancelToolCall(event.request.id);
      },
    });
    expect(a.subscriptions()).toEqual(['-^!']);
    expect(played.history.slice(2)).toEqual([`A! ${cancelled('a')}`, 'assistant: z']);
  });

  it('takes effect from inside the progress of a synchronous tool, whose result comes too late', () => {
    const a = tool({
      name: 'a',
      execute: (_, { progress }) => {
        progress('half');
        return 'r';
      },
    });
    const played = playStarted({
      rounds,
      tools: [a],
      onEvent: (event, { cancelToolCall }) => {
        if (event.type === 'toolProgress') expect(cancelToolCall(event.request.id)).toBe(true);
      },
    });
    expect(played.marbles).toBe('-(A<a*a>a)%z($|)');
    expect(played.history.slice(2)).toEqual([`A! ${cancelled('a')}`, 'assistant: z']);
  });
});

describe('cancelToolCall() of a call that waits', () => {
  it('for its turn keeps its tool from running, and says so at once', () => {
    const tools = [scriptedTool('b', '-----s|'), scriptedTool('a', '--r|'), scriptedTool('c', '--q|')];
    const played = playStarted({ rounds: ['(BAC)|', '-z|'], tools, toolConcurrency: 1, meanwhile: { 3: cancelA } });
    expect(played.answers).toEqual({ 3: true });
    expect(tools.map((each) => each.subscriptions())).toEqual([['^-----!'], [], ['------^--!']]);
    expect(played.marbles).toBe('(B<bAC)%->a-*b(>b<c)-*c>cz($|)');
    expect(executionsOf(played)[0]).toMatchObject({ request: { id: 'A' }, hasFailed: true, result: cancelled('a'), duration: 0 });
    expect(played.history.slice(2)).toEqual(['B: s', `A! ${cancelled('a')}`, 'C: q', 'assistant: z']);
  });

  it('to be alone lets those go on that it kept waiting', () => {
    const tools = [
      scriptedTool('b', '-------s|'),
      { ...scriptedTool('a', '--r|'), execution: 'exclusive' as const },
      scriptedTool('c', '--q|'),
    ];
    playStarted({ rounds: ['(BAC)|', '-z|'], tools, meanwhile: { 3: cancelA } });
    expect(tools.map((each) => each.subscriptions())).toEqual([['^-------!'], [], ['---^--!']]);
  });

  it('to be alone lets those go on also while the handler takes its time', () => {
    const tools = [
      scriptedTool('b', '-------s|'),
      { ...scriptedTool('a', '--r|'), execution: 'exclusive' as const },
      scriptedTool('c', '--q|'),
    ];
    playStarted({
      rounds: ['(BAC)|', '-z|'],
      tools,
      toolExecutionErrorHandler: () => timer(20).pipe(map(() => 'stopped')),
      meanwhile: { 3: cancelA },
    });
    expect(tools.map((each) => each.subscriptions())).toEqual([['^-------!'], [], ['---^--!']]);
  });

  it('for an approval asks nobody any more', () => {
    const signals: AbortSignal[] = [];
    const a = { ...scriptedTool('a', '--r|'), needsApproval: true };
    const played = playStarted({
      rounds,
      tools: [a],
      approveToolExecution: (_, { signal }) => (signals.push(signal), NEVER),
      meanwhile: { 4: cancelA, 5: ({ decideToolCall }) => decideToolCall('A', true) },
    });
    expect(played.answers).toEqual({ 4: true, 5: false });
    expect(signals[0]!.aborted).toBe(true);
    expect(a.contexts).toEqual([]);
    expect(played.marbles).toBe('-(A!a)%->az($|)');
    expect(played.history[2]).toBe(`A! ${cancelled('a')}`);
  });

  it('leaves no trace in memory where that fails the invocation and nothing else ran', () => {
    const a = { ...scriptedTool('a', '--r|'), needsApproval: true };
    const played = playStarted({
      rounds,
      tools: [a],
      toolExecutionErrorHandler: toolExecutionErrorHandler.failInvocation(),
      meanwhile: { 4: cancelA },
    });
    expect(played.marbles).toBe('-(A!a)%-(>a#)');
    expect(played.history).toEqual([]);
  });

  it('takes effect from inside the event that tells of the call: the tool never runs', () => {
    const a = scriptedTool('a', '--r|');
    const played = playStarted({
      rounds: ['-(AB)|', '-z|'],
      tools: [a, scriptedTool('b', '-s|')],
      onEvent: (event, { cancelToolCall }) => {
        if (event.type === 'completeToolCall') expect(cancelToolCall(event.request.id)).toBe(true);
      },
    });
    expect(a.contexts).toEqual([]);
    expect(executionsOf(played).map(({ request }) => request.id)).toEqual(['A', 'B']);
    expect(played.history.slice(2)).toEqual([`A! ${cancelled('a')}`, `B! ${cancelled('b')}`, 'assistant: z']);
  });

  it('takes effect from inside the event that asks for its approval', () => {
    const approve = vi.fn(() => true);
    const a = { ...scriptedTool('a', '--r|'), needsApproval: true };
    const played = playStarted({
      rounds,
      tools: [a],
      approveToolExecution: approve,
      onEvent: (event, { cancelToolCall }) => {
        if (event.type === 'toolApprovalRequested') cancelToolCall(event.request.id);
      },
    });
    expect(approve).not.toHaveBeenCalled();
    expect(a.contexts).toEqual([]);
    expect(played.history[2]).toBe(`A! ${cancelled('a')}`);
  });
});

describe('cancelToolCall() takes no effect', () => {
  it('on an id that there is not, nor before the call is complete, nor when it has ended', () => {
    const played = playStarted({
      rounds: ['-B---A|', '-z|'],
      tools: [scriptedTool('a', '-----r|'), scriptedTool('b', '-s|')],
      meanwhile: {
        0: cancelA,
        4: ({ cancelToolCall }) => [cancelToolCall('B'), cancelToolCall('no such id'), cancelToolCall(undefined as never)],
        50: cancelA,
      },
    });
    expect(played.answers).toEqual({ 0: false, 4: [false, false, false], 50: false });
    expect(played.history.slice(2)).toEqual(['B: s', 'A: r', 'assistant: z']);
  });

  it('after the invocation was cancelled', () => {
    const played = playStarted({
      rounds,
      tools: [scriptedTool('a', '----------r|')],
      meanwhile: { 4: ({ cancel }) => cancel(), 5: cancelA },
    });
    expect(played.answers[5]).toBe(false);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', `A! ${neutral}`]);
  });

  it('on a compensable call that is left to settle after a cancel', () => {
    const undo = vi.fn();
    const a = tool({ name: 'a', execute: () => timer(10).pipe(map(() => 'r')), compensate: undo });
    const played = playStarted({
      rounds,
      tools: [a],
      compensateOnToolErrors: true,
      meanwhile: { 4: ({ cancel }) => cancel(), 5: cancelA },
    });
    expect(played.answers[5]).toBe(false);
    expect(undo).toHaveBeenCalledTimes(1);
  });

  it('on a call that waits in a round that has failed', () => {
    const tools = [scriptedTool('b', '-#'), scriptedTool('c', '-------q|'), scriptedTool('a', '--r|')];
    const played = playStarted({ rounds: ['(BCA)|'], tools, toolConcurrency: 2, meanwhile: { 4: cancelA } });
    expect(played.answers).toEqual({ 4: false });
    expect(tools[2]!.contexts).toEqual([]);
    expect(played.error).toEqual(new Error('b failed'));
  });
});

describe('the id of a call', () => {
  it('is the one that the events tell, also where the provider gave none or one twice', () => {
    const ids: string[] = [];
    const played = playStarted({
      rounds: ['-(ABC)|', '-z|'],
      script: { calls: { A: { id: '' }, B: { id: 'same' }, C: { id: 'same' } } },
      tools: ['a', 'b', 'c'].map((name) => scriptedTool(name, '--------r|')),
      onEvent: (event) => {
        if (event.type === 'beforeToolExecution') ids.push(event.request.id);
      },
      meanwhile: { 4: ({ cancelToolCall }) => [cancelToolCall(ids[0]!), cancelToolCall(ids[2]!), cancelToolCall('')] },
    });
    expect(played.answers).toEqual({ 4: [true, true, false] });
    expect(new Set(ids).size).toBe(3);
    expect(executionsOf(played).map(({ request, hasFailed }) => [request.id, hasFailed])).toEqual([
      [ids[0], true],
      [ids[2], true],
      [ids[1], false],
    ]);
  });
});

describe('whatever is decided and cancelled, and whenever', () => {
  const kinds = fc.constantFrom<ExecutionOrder>('parallel', 'sequential', 'exclusive');
  const calls = fc.array(
    fc.record({
      arrival: fc.nat(6),
      duration: fc.nat(5),
      kind: kinds,
      needsApproval: fc.boolean(),
      isCompensable: fc.boolean(),
      fails: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  );
  const actions = fc.array(
    fc.record({ frame: fc.nat(15), call: fc.nat(5), what: fc.constantFrom('approve', 'deny', 'cancel') }),
    { maxLength: 8 },
  );

  it('every call ends once, with a result that stands in the history, and the invocation ends', () => {
    fc.assert(
      fc.property(calls, actions, fc.integer({ min: 1, max: 3 }), fc.nat(3), (given, done, toolConcurrency, handlerTime) => {
        const letters = given.map((_, place) => String.fromCharCode(65 + place));
        const last = Math.max(...given.map(({ arrival }) => arrival));
        const at = (frame: number) => letters.filter((_, place) => given[place]!.arrival === frame).join('');
        const marbles = Array.from({ length: last + 1 }, (_, frame) => (at(frame) ? `(${at(frame)})` : '-')).join('');
        const executed: string[] = [];
        const tools = given.map(({ duration, kind, needsApproval, isCompensable, fails }, place) =>
          tool({
            name: letters[place]!.toLowerCase(),
            execution: kind,
            needsApproval,
            execute: () => {
              executed.push(letters[place]!);
              const end = () => {
                if (fails) throw new Error('it fails');
                return 'r';
              };
              return duration === 0 ? of(0).pipe(map(end)) : timer(duration).pipe(map(end));
            },
            ...(isCompensable && { compensate: () => undefined }),
          }),
        );
        const chatMemory = roomyMemory();
        const after: string[] = [];
        const before: string[] = [];
        const ends: string[] = [];
        const took: Record<string, number> = {};
        runMarbles(({ at: then }) => {
          const service = aiService({
            model: scriptedModel([`${marbles}|`, '-z|']),
            tools,
            chatMemory,
            toolConcurrency,
            compensateOnToolErrors: true,
            toolExecutionErrorHandler: ({ message }) =>
              handlerTime === 0 ? message : timer(handlerTime).pipe(map(() => message)),
          });
          const invocation = service.start('hello');
          invocation.events$.subscribe({
            next: (event) => {
              if (event.type === 'afterToolExecution') after.push(event.execution.request.id);
              if (event.type === 'beforeToolExecution') before.push(event.request.id);
              if (event.type === 'finalResponse') ends.push('answer');
            },
            error: (error: unknown) => ends.push(String(error)),
            complete: () => ends.push('complete'),
          });
          for (const { frame, call, what } of done)
            then(frame, () => {
              const id = letters[call % letters.length]!;
              const effect =
                what === 'cancel' ? invocation.cancelToolCall(id) : invocation.decideToolCall(id, what === 'approve');
              if (effect) took[`${what} ${id}`] = (took[`${what} ${id}`] ?? 0) + 1;
            });
          // Nobody waits for ever.
          for (let frame = 20; frame < 90; frame += 2)
            then(frame, () => letters.forEach((id) => invocation.decideToolCall(id, true)));
        });
        expect(ends).toEqual(['answer', 'complete']);
        expect([...after].sort()).toEqual(letters);
        expect(new Set(before).size).toBe(before.length);
        expect(new Set(executed).size).toBe(executed.length);
        expect(Object.values(took).every((count) => count === 1)).toBe(true);
        expectValid(kept(chatMemory));
        expect(kept(chatMemory).filter(({ role }) => role === 'tool')).toHaveLength(letters.length);
      }),
      { numRuns: 150 },
    );
  });
});
