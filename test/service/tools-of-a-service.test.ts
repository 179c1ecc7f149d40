import { NEVER, Observable, VirtualTimeScheduler, interval, map, of, take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ToolExecutionError, ToolTimeoutError, UnknownToolError } from '../../src/tool/tool-errors.ts';
import { executorTool } from '../../src/tool/executor-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import { toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { expectValid, kept, play, type Played } from './support.ts';

const executionsOf = ({ values }: Played) =>
  values.flatMap((event) => (event.type === 'afterToolExecution' ? [event.execution] : []));

describe('toolTimeout', () => {
  it('[G8] gives the slow call a timeout error and aborts its signal; the other result stands, and the run goes on', () => {
    const signals: AbortSignal[] = [];
    const never = tool({
      name: 'a',
      execute: (_, { signal }) => {
        signals.push(signal);
        return NEVER;
      },
    });
    const played = play({ rounds: ['(AB)|', '-z|'], tools: [never, scriptedTool('b', '-r|')], toolTimeout: 50 });
    expect(played.marbles).toBe('(A<aB<b)(*b%)>b 47ms >az($|)');
    expect(played.history).toEqual([
      'user: hello',
      'assistant: [A B]',
      'A! Tool a took longer than 50 ms and was stopped.',
      'B: r',
      'assistant: z',
    ]);
    expect(signals[0]!.aborted).toBe(true);
    expect(signals[0]!.reason).toBeInstanceOf(ToolTimeoutError);
    expect(executionsOf(played)[1]).toMatchObject({ hasFailed: true, duration: 50, error: signals[0]!.reason as Error });
  });

  it('fails the invocation where the handler says so', () => {
    const played = play({
      rounds: ['A|'],
      tools: [scriptedTool('a', ' 90ms r|')],
      toolTimeout: 5,
      toolExecutionErrorHandler: toolExecutionErrorHandler.failInvocation(),
    });
    expect(played.marbles).toBe('(A<a)%---(>a#)');
    expect(played.error).toBeInstanceOf(ToolTimeoutError);
  });

  it('does not count the time that a call waits for its place', () => {
    const tools = [scriptedTool('a', '----r|'), scriptedTool('b', '----r|')];
    const played = play({ rounds: ['(AB)|', '-z|'], tools, toolConcurrency: 1, toolTimeout: 6 });
    expect(executionsOf(played).map(({ hasFailed, duration }) => [hasFailed, duration])).toEqual([
      [false, 5],
      [false, 5],
    ]);
  });

  it('is not renewed by progress', () => {
    const played = play({
      rounds: ['A|', '-z|'],
      tools: [tool({ name: 'a', execute: () => interval(2).pipe(take(9)) })],
      toolTimeout: 5,
    });
    expect(played.marbles).toBe('(A<a)%*a-*a>az($|)');
  });

  it('leaves no timer behind when the tool is quick', () => {
    const scheduler = new VirtualTimeScheduler();
    const quick = tool({ name: 'a', execute: () => 'r' });
    const played = play({ rounds: ['A|', '-z|'], tools: [quick], toolTimeout: 5000, scheduler });
    expect(played.marbles).toBe('(A<a>a)%z($|)');
    expect(scheduler.actions).toEqual([]);
  });
});

describe('a tool that there is not', () => {
  it.each([false, true])('[S25] [S128] fails the invocation, and what ran is kept (legacy: %s)', (legacy) => {
    const played = play({ rounds: ['A|', 'B|'], tools: [scriptedTool('a', 'r|')], legacy });
    expect(played.error).toBeInstanceOf(UnknownToolError);
    expect((played.error as Error).message).toMatch(/b.*hallucinatedToolNameStrategy/);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r']);
  });

  it.each([false, true])(
    '[S129] is answered by the strategy, and the model tries a tool that there is (legacy: %s)',
    (legacy) => {
      const asked: unknown[] = [];
      const played = play({
        rounds: ['B|', 'A|', '-z|'],
        tools: [scriptedTool('a', 'r|')],
        legacy,
        hallucinatedToolNameStrategy: ({ name }, { invocation }) => {
          asked.push(invocation);
          return of(`there is no ${name}, only a`);
        },
      });
      expect(played.history).toEqual([
        'user: hello',
        'assistant: [B]',
        'B! there is no b, only a',
        'assistant: [A]',
        'A: r',
        'assistant: z',
      ]);
      expect(asked).toEqual([played.values[0]!.invocation]);
      expectValid(kept(played.memory));
    },
  );

  it('[G3] does not keep the others of its turn from running', () => {
    const a = scriptedTool('a', '-r|');
    const played = play({ rounds: ['(BA)|', '-z|'], tools: [a], hallucinatedToolNameStrategy: () => 'there is only a' });
    expect(a.subscriptions()).toEqual(['^-!']);
    expect(played.history).toEqual(['user: hello', 'assistant: [B A]', 'B! there is only a', 'A: r', 'assistant: z']);
    expect(executionsOf(played)[0]).toMatchObject({ request: { id: 'B' }, hasFailed: true });
    expect(executionsOf(played)[0]!.error).toBeInstanceOf(UnknownToolError);
  });

  it('fails the invocation with what the strategy throws', () => {
    const own = new Error('never heard of it');
    const played = play({
      rounds: ['B|'],
      hallucinatedToolNameStrategy: () => {
        throw own;
      },
    });
    expect(played.error).toBe(own);
  });

  it("is in neither handler's hands", () => {
    const handled: string[] = [];
    const handler = ({ message }: Error) => (handled.push(message), message);
    const played = play({ rounds: ['B|'], toolArgumentsErrorHandler: handler, toolExecutionErrorHandler: handler });
    expect(played.error).toBeInstanceOf(UnknownToolError);
    expect(handled).toEqual([]);
  });

  it.each(['a<|channel|>commentary', 'functions.a', ' a<|end|>', 'functions.a<|channel|>json'])(
    '[G4] is not what %j means: a is run, the raw name stays visible, and the history has the plain one',
    (name) => {
      const played = play({ rounds: ['A|', '-z|'], script: { calls: { A: { name } } }, tools: [scriptedTool('a', 'r|')] });
      expect(played.values[0]).toMatchObject({ type: 'completeToolCall', request: { name } });
      expect(executionsOf(played)[0]).toMatchObject({ request: { name: 'a' }, result: 'r', attributes: { requestedName: name } });
      expect(played.model.requests[1]!.messages.slice(1)).toMatchObject([
        { toolExecutionRequests: [{ name: 'a' }] },
        { toolName: 'a' },
      ]);
    },
  );

  it("[G4] is not looked for behind a name that is a tool's own", () => {
    const [plain, odd] = [scriptedTool('a', 'r|'), scriptedTool('functions.a', 's|')];
    const played = play({ rounds: ['A|', '-z|'], script: { calls: { A: { name: 'functions.a' } } }, tools: [plain, odd] });
    expect(played.history[2]).toBe('A: s');
  });
});

describe('results', () => {
  it.each([
    ['[S95] null', null, 'null'],
    ['undefined', undefined, 'Success'],
    ['an empty text', '', ''],
    ['zero', 0, '0'],
    ['false', false, 'false'],
    ['[S96] an image', { type: 'image', url: 'https://a.example/b.png' }, '(image)'],
    ['an object', { city: 'Paris' }, '{"city":"Paris"}'],
  ])('of %s become what the model is sent', (_, value, text) => {
    const played = play({ rounds: ['A|', '-z|'], tools: [tool({ name: 'a', execute: () => value })] });
    expect(played.history[2]).toBe(`A: ${text}`.trimEnd() + (text === '' ? ' ' : ''));
  });

  it('[S86] of a tool that reads the request itself go to the model, with its attributes in memory', () => {
    const echo = executorTool(
      { name: 'a', description: 'says it again', parameters: { type: 'object' } },
      ({ arguments: text }) => ({
        contents: [{ type: 'text', text }],
        isError: false,
        attributes: { source: 'echo' },
      }),
    );
    const played = play({ rounds: ['A|', '-z|'], script: { calls: { A: { arguments: '{"x":1}' } } }, tools: [echo] });
    expect(played.history[2]).toBe('A: {"x":1}');
    expect(kept(played.memory)[2]).toMatchObject({ role: 'tool', attributes: { source: 'echo' } });
    expect(played.model.requests[0]!.toolSpecifications).toEqual([echo.specification]);
  });

  it('marked as errors by the tool itself go on as errors, without a handler', () => {
    const refusing = executorTool({ name: 'a', parameters: {} }, () => ({
      contents: [{ type: 'text', text: 'no' }],
      isError: true,
    }));
    const played = play({ rounds: ['A|', '-z|'], tools: [refusing] });
    expect(played.history[2]).toBe('A! no');
    expect(executionsOf(played)[0]).toMatchObject({ hasFailed: true });
    expect(executionsOf(played)[0]).not.toHaveProperty('error');
  });

  it('are told with the time that they took', () => {
    const played = play({ rounds: ['--A|', '-z|'], tools: [scriptedTool('a', '---r|')] });
    expect(executionsOf(played)).toMatchObject([
      { startTime: 2, finishTime: 6, duration: 4, result: 'r', resultObject: 'r', arguments: {} },
    ]);
  });

  it('[S155] missing altogether are an error of the tool', () => {
    const empty = { ...scriptedTool('a', '|'), execute: () => new Observable<never>((subscriber) => subscriber.complete()) };
    const played = play({ rounds: ['A|'], tools: [empty] });
    expect(played.error).toBeInstanceOf(ToolExecutionError);
    expect((played.error as Error).message).toContain('Tool a ended without a result');
  });

  it('of Tool.pipe go through its operators', () => {
    const louder = scriptedTool('a', 'r|').pipe(map((result) => ({ ...result, contents: [{ type: 'text', text: 'R!' }] })));
    expect(play({ rounds: ['A|', '-z|'], tools: [louder] }).history[2]).toBe('A: R!');
  });
});
