import { Observable, map, of, retry, throwError, timer } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { ToolExecutionRequest } from '../../src/chat/message.ts';
import { aiService } from '../../src/service/ai-service.ts';
import type { AiServiceOptions } from '../../src/service/options.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import type { ToolContext, ToolExecution } from '../../src/tool/types.ts';
import { ended } from './started.ts';
import { neutral, play, type Played, type Script } from './support.ts';

const rounds = ['-A|', '-z|'];

const broken = new Error('the ledger is closed');

const executionsOf = ({ values }: Played): readonly ToolExecution[] =>
  values.flatMap((event) => (event.type === 'afterToolExecution' ? [event.execution] : []));

/** Keeps off both handlers of errors: neither is to be asked. */
function handlers() {
  const asked = vi.fn(() => 'handled');
  return { asked, toolArgumentsErrorHandler: asked, toolExecutionErrorHandler: asked };
}

describe('beforeToolExecution', () => {
  it('is called with the request and the context of each call, before its tool runs', () => {
    const log: string[] = [];
    const seen: [ToolExecutionRequest, ToolContext][] = [];
    const played = play({
      rounds,
      script: { calls: { A: { arguments: '{"n":1}' } } },
      tools: [tool({ name: 'a', execute: () => void log.push('tool') })],
      beforeToolExecution: (request, context) => {
        log.push('hook');
        seen.push([request, context]);
      },
      call: { parameters: { user: 7 } },
    });
    expect(log).toEqual(['hook', 'tool']);
    const [[request, context]] = seen as [[ToolExecutionRequest, ToolContext]];
    expect(request).toEqual({ id: 'A', name: 'a', arguments: '{"n":1}' });
    expect(context.request).toBe(request);
    expect(context.invocation).toBe(played.values[0]!.invocation);
    expect(context.parameters.get('user')).toBe(7);
    expect(context.signal.aborted).toBe(false);
  });

  it('is waited for: the tool starts behind it', () => {
    const a = scriptedTool('a', '--r|');
    const played = play({ rounds, tools: [a], beforeToolExecution: () => timer(5) });
    expect(a.subscriptions()).toEqual(['------^--!']);
    expect(played.marbles).toBe('-(A<a)%-----*a>az($|)');
  });

  it('is waited for where it is async', async () => {
    const log: string[] = [];
    const service = aiService({
      model: scriptedModel(['A|', 'z|']),
      tools: [tool({ name: 'a', execute: () => void log.push('tool') })],
      beforeToolExecution: () => Promise.resolve().then(() => log.push('hook')),
    });
    await ended(service.result('hello'));
    expect(log).toEqual(['hook', 'tool']);
  });

  it('can give the tool something by the parameters of the invocation', () => {
    const played = play({
      rounds,
      tools: [tool({ name: 'a', execute: (_, { parameters }) => parameters.get('token') })],
      beforeToolExecution: (_, { parameters }) => void parameters.set('token', 'let me in'),
    });
    expect(played.history[2]).toBe('A: let me in');
  });

  it('stands outside of the interceptors, which may run the tool again', () => {
    const log: string[] = [];
    play({
      rounds,
      tools: [scriptedTool('a', '#')],
      beforeToolExecution: () => void log.push('before'),
      afterToolExecution: () => void log.push('after'),
      interceptors: { tool: [(_, __, next) => (log.push('interceptor'), next().pipe(retry(2)))] },
      toolExecutionErrorHandler: () => 'failed',
    });
    expect(log).toEqual(['before', 'interceptor', 'after']);
  });

  it('does not count for toolTimeout', () => {
    const played = play({
      rounds,
      tools: [scriptedTool('a', '--r|')],
      beforeToolExecution: () => timer(50),
      toolTimeout: 5,
    });
    expect(played.history[2]).toBe('A: r');
  });

  it('keeps the next call waiting under toolConcurrency 1', () => {
    const tools = [scriptedTool('a', '-r|'), scriptedTool('b', '-s|')];
    play({ rounds: ['(AB)|', '-z|'], tools, toolConcurrency: 1, beforeToolExecution: () => timer(5) });
    expect(tools.map((each) => each.subscriptions())).toEqual([['-----^-!'], ['------------^-!']]);
  });

  const failing: readonly (readonly [string, NonNullable<AiServiceOptions['beforeToolExecution']>])[] = [
    [
      'throws',
      () => {
        throw broken;
      },
    ],
    ['errors', () => throwError(() => broken)],
  ];

  describe.each(failing)('that %s', (_, beforeToolExecution) => {
    it('fails the invocation with that error and asks no handler; the tool does not run', () => {
      const { asked, ...both } = handlers();
      const a = scriptedTool('a', '-r|');
      const played = play({ rounds, tools: [a], beforeToolExecution, ...both });
      expect(played.error).toBe(broken);
      expect(asked).not.toHaveBeenCalled();
      expect(a.contexts).toEqual([]);
      expect(played.firedTypes.at(-1)).toBe('error');
    });

    it('has its end told beside its start, flagged as failed; nothing is written, for nothing ran', () => {
      const played = play({ rounds, tools: [scriptedTool('a', '-r|')], beforeToolExecution });
      expect(played.marbles).toBe('-(A<a>a)(%#)');
      expect(executionsOf(played)).toMatchObject([{ request: { id: 'A' }, hasFailed: true, error: broken }]);
      expect(played.history).toEqual([]);
    });

    it('keeps afterToolExecution from being called: they come in pairs', () => {
      const after = vi.fn();
      play({ rounds, tools: [scriptedTool('a', '-r|')], beforeToolExecution, afterToolExecution: after });
      expect(after).not.toHaveBeenCalled();
    });
  });

  it('that rejects fails the invocation with that error', async () => {
    const { asked, ...both } = handlers();
    const a = scriptedTool('a', 'r|');
    const beforeToolExecution = () => Promise.reject(broken);
    const service = aiService({ model: scriptedModel(['A|']), tools: [a], beforeToolExecution, ...both });
    await expect(ended(service.result('hello'))).rejects.toBe(broken);
    expect(asked).not.toHaveBeenCalled();
    expect(a.contexts).toEqual([]);
  });

  it('that throws no Error fails the invocation with one', () => {
    const beforeToolExecution = () => {
      throw 'closed';
    };
    const { error } = play({ rounds, tools: [scriptedTool('a', 'r|')], beforeToolExecution });
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toContain('closed');
  });

  it('that fails lets the tools that run end, and what they did is written', () => {
    const tools = [scriptedTool('a', '-r|'), scriptedTool('b', '----s|'), scriptedTool('c', '-q|')];
    const beforeToolExecution = ({ id }: ToolExecutionRequest) => {
      if (id === 'A') throw broken;
    };
    const played = play({ rounds: ['-(BAC)|'], tools, beforeToolExecution });
    expect(played.marbles).toBe('-(B<bA<a>aC)%--*b(>b#)');
    expect(played.history).toEqual(['user: hello', 'assistant: [B A C]', 'B: s', `A! ${neutral}`, `C! ${neutral}`]);
  });

  it('that fails has undone what other tools did', () => {
    const undo = vi.fn();
    const tools = [scriptedTool('a', '-r|'), tool({ name: 'b', execute: () => 's', compensate: undo })];
    const beforeToolExecution = ({ id }: ToolExecutionRequest) => {
      if (id === 'A') throw broken;
    };
    const played = play({ rounds: ['-(BA)|'], tools, beforeToolExecution, compensateOnToolErrors: true });
    expect(undo).toHaveBeenCalledTimes(1);
    expect(played.error).toBe(broken);
  });

  it('is left, and its signal aborted, when the invocation is given up', () => {
    const log: string[] = [];
    let signal: AbortSignal | undefined;
    const a = scriptedTool('a', '-r|');
    const played = play({
      rounds,
      tools: [a],
      beforeToolExecution: (_, context) => {
        signal = context.signal;
        return new Observable(() => () => log.push('left'));
      },
      subscription: '^----!',
    });
    expect(log).toEqual(['left']);
    expect(signal!.aborted).toBe(true);
    expect(a.contexts).toEqual([]);
    expect(played.history).toEqual([]);
  });
});

describe('afterToolExecution', () => {
  it('is called with the execution and the context of each call, when its tool has ended', () => {
    const seen: [ToolExecution, ToolContext][] = [];
    const before: ToolContext[] = [];
    const double = tool({
      name: 'a',
      parameters: z.object({ n: z.number() }),
      execute: ({ n }) => timer(4).pipe(map(() => 2 * n)),
    });
    play({
      rounds,
      script: { calls: { A: { arguments: '{"n":21}' } } },
      tools: [double],
      beforeToolExecution: (_, context) => void before.push(context),
      afterToolExecution: (execution, context) => void seen.push([execution, context]),
    });
    const [[execution, context]] = seen as [[ToolExecution, ToolContext]];
    expect(execution).toMatchObject({
      request: { id: 'A', name: 'a', arguments: '{"n":21}' },
      arguments: { n: 21 },
      result: '42',
      resultObject: 42,
      hasFailed: false,
      startTime: 1,
      finishTime: 5,
      duration: 4,
    });
    expect(context).toBe(before[0]);
    expect(context.signal.aborted).toBe(false);
  });

  it('is told the same execution as those who watch', () => {
    const seen: ToolExecution[] = [];
    const played = play({ rounds, tools: [scriptedTool('a', 'r|')], afterToolExecution: (each) => void seen.push(each) });
    expect(seen).toHaveLength(1);
    expect(executionsOf(played)[0]).toBe(seen[0]);
  });

  it('is waited for: the end is told and the model asked again behind it', () => {
    const played = play({ rounds, tools: [scriptedTool('a', '--r|')], afterToolExecution: () => timer(5) });
    expect(played.marbles).toBe('-(A<a)%*a----->az($|)');
    expect(executionsOf(played)[0]).toMatchObject({ startTime: 1, finishTime: 4, duration: 3 });
  });

  it('is waited for where it is async', async () => {
    const log: string[] = [];
    const service = aiService({
      model: scriptedModel(['A|', 'z|']),
      tools: [scriptedTool('a', 'r|')],
      afterToolExecution: () => Promise.resolve().then(() => log.push('hook')),
    });
    await ended(service.stream('hello').pipe(map(({ type }) => void (type === 'afterToolExecution' && log.push('event')))));
    expect(log).toEqual(['hook', 'event']);
  });

  it('keeps the next call waiting under toolConcurrency 1', () => {
    const tools = [scriptedTool('a', '-r|'), scriptedTool('b', '-s|')];
    play({ rounds: ['(AB)|', '-z|'], tools, toolConcurrency: 1, afterToolExecution: () => timer(5) });
    expect(tools.map((each) => each.subscriptions())).toEqual([['^-!'], ['-------^-!']]);
  });

  it('[S13] sees executions that failed, with their error, also where that fails the invocation', () => {
    const seen: ToolExecution[] = [];
    const error = new Error('out of paper');
    const options = {
      rounds,
      tools: [scriptedTool('a', '-#', { error })],
      afterToolExecution: (each: ToolExecution) => void seen.push(each),
    };
    const failed = play(options);
    expect(failed.error).toBe(error);
    expect(seen).toMatchObject([{ hasFailed: true, error, result: 'out of paper' }]);
    const told = play({ ...options, toolExecutionErrorHandler: () => 'try later' });
    expect(told.history.at(-1)).toBe('assistant: z');
    expect(seen[1]).toMatchObject({ hasFailed: true, error, result: 'try later' });
  });

  it('sees those that took too long, and those whose arguments can not be used', () => {
    const seen: string[] = [];
    const afterToolExecution = ({ result, hasFailed }: ToolExecution) => void seen.push(`${hasFailed ? '!' : ':'} ${result}`);
    play({ rounds, tools: [scriptedTool('a', '-----r|')], toolTimeout: 2, afterToolExecution });
    const a = tool({ name: 'a', parameters: z.object({ n: z.number() }), execute: () => 'r' });
    play({ rounds, tools: [a], toolArgumentsErrorHandler: () => 'n is missing', afterToolExecution });
    expect(seen).toEqual(['! Tool a took longer than 2 ms and was stopped.', '! n is missing']);
  });

  const failing: readonly (readonly [string, NonNullable<AiServiceOptions['afterToolExecution']>])[] = [
    [
      'throws',
      () => {
        throw broken;
      },
    ],
    ['errors', () => throwError(() => broken)],
  ];

  describe.each(failing)('that %s', (_, afterToolExecution) => {
    it('fails the invocation with that error and asks no handler; the end is told as it was', () => {
      const { asked, ...both } = handlers();
      const played = play({ rounds, tools: [scriptedTool('a', '-r|')], afterToolExecution, ...both });
      expect(played.error).toBe(broken);
      expect(asked).not.toHaveBeenCalled();
      expect(played.marbles).toBe('-(A<a)(*a%)(>a#)');
      expect(executionsOf(played)).toMatchObject([{ result: 'r', hasFailed: false }]);
      expect(played.firedTypes.at(-1)).toBe('error');
    });

    it('leaves the result in memory: the model must not do again what is done', () => {
      const played = play({ rounds, tools: [scriptedTool('a', '-r|')], afterToolExecution });
      expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r']);
    });

    it('has the tool itself undone, which had succeeded', () => {
      const undo = vi.fn();
      const a = tool({ name: 'a', execute: () => 'r', compensate: undo });
      const played = play({ rounds, tools: [a], afterToolExecution, compensateOnToolErrors: true });
      expect(undo).toHaveBeenCalledTimes(1);
      expect(played.error).toBe(broken);
      expect(played.history[2]).toMatch(/^A! a had succeeded, but it was rolled back/);
    });

    it("does not take the place of the tool's own error", () => {
      const error = new Error('out of paper');
      const played = play({ rounds, tools: [scriptedTool('a', '-#', { error })], afterToolExecution });
      expect(played.error).toBe(error);
      expect(played.history).toEqual(['user: hello', 'assistant: [A]', `A! ${neutral}`]);
    });
  });

  it('that rejects fails the invocation with that error', async () => {
    const afterToolExecution = () => Promise.reject(broken);
    const service = aiService({ model: scriptedModel(['A|']), tools: [scriptedTool('a', 'r|')], afterToolExecution });
    await expect(ended(service.result('hello'))).rejects.toBe(broken);
  });

  it('that fails lets no further call start', () => {
    const tools = [scriptedTool('a', '-r|'), scriptedTool('b', '-s|')];
    const afterToolExecution = () => {
      throw broken;
    };
    const played = play({ rounds: ['(AB)|'], tools, toolConcurrency: 1, afterToolExecution });
    expect(tools[1]!.contexts).toEqual([]);
    expect(played.history.slice(2)).toEqual(['A: r', `B! ${neutral}`]);
  });

  it('is left, and its signal aborted, when the invocation is given up; what the tool did is written', () => {
    const log: string[] = [];
    let signal: AbortSignal | undefined;
    const played = play({
      rounds,
      tools: [scriptedTool('a', '-r|')],
      afterToolExecution: (_, context) => {
        signal = context.signal;
        return new Observable(() => () => log.push('left'));
      },
      subscription: '^------!',
    });
    expect(log).toEqual(['left']);
    expect(signal!.aborted).toBe(true);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r']);
  });
});

describe('both hooks', () => {
  /** Runs it and tells of which calls the hooks were told. */
  function told(options: Partial<Script>) {
    const log: string[] = [];
    const played = play({
      rounds,
      tools: [scriptedTool('a', 'r|')],
      beforeToolExecution: ({ id }) => void log.push(`before ${id}`),
      afterToolExecution: ({ request: { id } }) => void log.push(`after ${id}`),
      ...options,
    });
    return { log, played };
  }

  it('[S165] are called in order for every call, the start before the end', () => {
    const tools = [scriptedTool('a', '---r|'), scriptedTool('b', '-s|')];
    expect(told({ rounds: ['(AB)|', 'A|', '-z|'], tools }).log.slice(0, 4)).toEqual([
      'before A',
      'before B',
      'after B',
      'after A',
    ]);
    expect(told({ rounds: ['(AB)|', '-z|'], tools, legacy: true }).log).toEqual(['before A', 'after A', 'before B', 'after B']);
  });

  it('are not told of tools that there are not: nothing ran', () => {
    const { log, played } = told({ rounds: ['-B|', '-z|'], hallucinatedToolNameStrategy: () => 'there is only a' });
    expect(log).toEqual([]);
    expect(played.marbles).toBe('-(B<b>b)%z($|)');
  });

  it('are not told of calls that a limit refuses: nothing ran', () => {
    const { log } = told({
      rounds: ['-(AB)|', '-z|'],
      script: { calls: { B: { name: 'a' } } },
      limits: { toolCalls: 1, then: 'answer' },
    });
    expect(log).toEqual(['before A', 'after A']);
  });

  it('are not told of calls that fail the invocation before they can run', () => {
    expect(told({ tools: [{ ...scriptedTool('a', 'r|'), needsApproval: true }] }).log).toEqual([]);
  });

  it('can tell of progress, as the tool can', () => {
    const { played } = told({
      tools: [tool({ name: 'a', execute: (_, { progress }) => progress('half') })],
      beforeToolExecution: (_, { progress }) => progress('begins'),
      afterToolExecution: (_, { progress }) => progress('ends'),
    });
    const types = played.values.flatMap((event) =>
      event.type === 'toolProgress' ? [event.value] : event.type.includes('Tool') ? [event.type] : [],
    );
    expect(types).toEqual(['completeToolCall', 'beforeToolExecution', 'begins', 'half', 'ends', 'afterToolExecution']);
  });

  it('are called once for a call of a service that is a tool, beside those of that service', () => {
    const log: string[] = [];
    const inner = aiService({
      model: scriptedModel(['B|', 'y|']),
      tools: [scriptedTool('b', 's|')],
      beforeToolExecution: ({ name }) => void log.push(`inner before ${name}`),
      afterToolExecution: ({ request: { name } }) => void log.push(`inner after ${name}`),
    });
    play({
      rounds,
      script: { calls: { A: { arguments: '{"input":"hi"}' } } },
      tools: [inner.asTool({ name: 'a' })],
      beforeToolExecution: ({ name }) => void log.push(`outer before ${name}`),
      afterToolExecution: ({ request: { name } }) => void log.push(`outer after ${name}`),
    });
    expect(log).toEqual(['outer before a', 'inner before b', 'inner after b', 'outer after a']);
  });

  it('in a token stream are called beside its callbacks', () => {
    const log: string[] = [];
    const service = aiService({
      model: scriptedModel(rounds),
      tools: [tool({ name: 'a', execute: () => of('r') })],
      beforeToolExecution: () => void log.push('before'),
      afterToolExecution: () => void log.push('after'),
    });
    runMarbles(({ at }) =>
      at(0, () =>
        service
          .tokenStream('hello')
          .beforeToolExecution(() => log.push('told of the start'))
          .onToolExecuted(() => log.push('told of the end'))
          .ignoreErrors()
          .start(),
      ),
    );
    expect(log).toEqual(['told of the start', 'before', 'after', 'told of the end']);
  });
});
