import { NEVER, throwError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aiService } from '../../src/service/ai-service.ts';
import { InvocationCancelledError } from '../../src/service/service-errors.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { executorTool } from '../../src/tool/executor-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import type { Tool } from '../../src/tool/types.ts';
import { toolErrorVisibleToLlm } from '../../src/tool/visible-to-llm.ts';
import { kept, neutral, outline, play, roomyMemory, type Script } from './support.ts';
import { endsOf, rolledBack, toldUndone, undoLog } from './undo-log.ts';

const text = () => 'told to the model';

/** Calls a, which can be undone, and b. */
const story = (b: Tool | undefined, options: Partial<Script> = {}) => {
  const log = undoLog();
  const tools = [log.undoable('a', 'r|'), ...(b ? [b] : [])];
  const played = play({ rounds: ['(AB)|', '-z|'], tools, compensateOnToolErrors: true, ...options });
  return { log, played };
};

const failing = () => scriptedTool('b', '-#');
const strict = (): Tool => tool({ name: 'b', parameters: z.object({ amount: z.number() }), execute: () => 'paid' });
const errorResult = { contents: [{ type: 'text', text: 'no such account' }], isError: true } as const;

describe('what undoes the others while the invocation goes on:', () => {
  const causes: readonly { what: string; b: () => Tool; options?: Partial<Script>; told: string }[] = [
    { what: 'a tool whose error is told to the model', b: failing, options: { toolExecutionErrorHandler: text }, told: text() },
    {
      what: 'a tool whose error is visible to the model by itself',
      b: () => scriptedTool('b', '#', { error: toolErrorVisibleToLlm('Try another account.') }),
      told: 'Try another account.',
    },
    {
      what: '[S73] arguments that can not be used, by default',
      b: strict,
      told: 'amount: Invalid input: expected number',
    },
    {
      what: '[S73] arguments that can not be used, with a handler',
      b: strict,
      options: { toolArgumentsErrorHandler: text },
      told: text(),
    },
    {
      what: 'an executor that returns an error result itself',
      b: () => executorTool({ name: 'b', parameters: { type: 'object' } }, () => errorResult),
      told: 'no such account',
    },
    {
      what: 'a tool that returns an error result itself',
      b: () => tool({ name: 'b', execute: () => errorResult }),
      told: 'no such account',
    },
    {
      what: 'a tool that took too long',
      b: () => tool({ name: 'b', execute: () => NEVER }),
      options: { toolTimeout: 5 },
      told: 'Tool b took longer than 5 ms and was stopped.',
    },
    {
      what: 'an interceptor that fails',
      b: () => scriptedTool('b', 'r|'),
      options: {
        interceptors: {
          tool: [({ name }, _, next) => (name === 'b' ? throwError(() => toolErrorVisibleToLlm('closed on Sundays')) : next())],
        },
      },
      told: 'closed on Sundays',
    },
  ];

  it.each(causes.map((cause) => [cause.what, cause] as const))('%s', (_, { b, options = {}, told }) => {
    const { log, played } = story(b(), options);
    expect(log.names()).toEqual(['a']);
    expect(played.history[2]).toBe(rolledBack('A', 'b failed'));
    expect(played.history[3]).toContain(`B! `);
    expect(played.history[3]).toContain(told);
    expect(outline(played.model.requests[1]!.messages).slice(2)).toEqual(played.history.slice(2, 4));
    expect(toldUndone(played.fired)).toEqual(['a: toolError']);
    expect(endsOf(played.firedTypes)).toEqual(['completed']);
  });

  it('a call that was cancelled by its id', () => {
    const log = undoLog();
    const chatMemory = roomyMemory();
    const service = aiService({
      model: scriptedModel(['(AB)|', '-z|']),
      tools: [log.undoable('a', 'r|'), scriptedTool('b', '----------r|')],
      chatMemory,
      compensateOnToolErrors: true,
    });
    runMarbles(({ at, record }) => {
      at(0, () => {
        const invocation = service.start('hello');
        at(4, () => invocation.cancelToolCall('B'));
        record(invocation.result$, () => 'x').toBe('------(x|)');
      });
    });
    expect(log.spans()).toEqual(['a ----(^!)']);
    expect(outline(kept(chatMemory)).slice(2, 4)).toEqual([rolledBack('A', 'b failed'), 'B! The call of b was cancelled.']);
  });

  it('[S72] a tool that fails with an error of the kind that cancels: the invocation is not cancelled', () => {
    const errors = [
      new DOMException('gone', 'AbortError'),
      new InvocationCancelledError('gone'),
      new DOMException('late', 'TimeoutError'),
    ];
    for (const error of errors) {
      const { log, played } = story(scriptedTool('b', '-#', { error }), { toolExecutionErrorHandler: text });
      expect(log.names()).toEqual(['a']);
      expect(toldUndone(played.fired)).toEqual(['a: toolError']);
      expect(endsOf(played.firedTypes)).toEqual(['completed']);
      const failed = story(scriptedTool('b', '-#', { error })).played;
      expect(failed.error).toBe(error);
      expect(toldUndone(failed.fired)).toEqual(['a: toolError']);
      expect(endsOf(failed.firedTypes)).toEqual(['error']);
    }
  });
});

describe('what undoes the others before the invocation fails:', () => {
  const thrown = new Error('the error that counts');
  const fail = () => {
    throw thrown;
  };
  const causes: readonly { what: string; b: () => Tool | undefined; options?: Partial<Script>; error: unknown }[] = [
    { what: '[S74] a tool that fails, by default', b: failing, error: new Error('b failed') },
    { what: 'a handler that fails', b: failing, options: { toolExecutionErrorHandler: fail }, error: thrown },
    {
      what: 'a handler that fails later',
      b: failing,
      options: { toolExecutionErrorHandler: () => timer(3).pipe(() => throwError(() => thrown)) },
      error: thrown,
    },
    { what: 'a handler of arguments that fails', b: strict, options: { toolArgumentsErrorHandler: fail }, error: thrown },
    {
      what: 'a hook before a tool',
      b: () => scriptedTool('b', 'r|'),
      options: { beforeToolExecution: ({ name }) => name === 'b' && fail() },
      error: thrown,
    },
    {
      what: 'a hook after a tool',
      b: () => scriptedTool('b', 'r|'),
      options: { afterToolExecution: ({ request }) => request.name === 'b' && fail() },
      error: thrown,
    },
    { what: 'a tool that there is not', b: () => undefined, error: expect.objectContaining({ name: 'UnknownToolError' }) },
    {
      what: 'an approval that nobody can give',
      b: () => tool({ name: 'b', needsApproval: true, execute: () => 1 }),
      error: expect.objectContaining({ name: 'ApprovalRequiredError' }),
    },
    {
      what: 'an approval that fails',
      b: () => tool({ name: 'b', needsApproval: true, execute: () => 1 }),
      options: { approveToolExecution: fail },
      error: thrown,
    },
  ];

  it.each(causes.map((cause) => [cause.what, cause] as const))('%s', (_, { b, options = {}, error }) => {
    const { log, played } = story(b(), options);
    expect(log.names()).toEqual(['a']);
    expect(played.error).toEqual(error);
    expect(toldUndone(played.values)).toEqual(['a: toolError']);
    expect(toldUndone(played.fired)).toEqual(['a: toolError']);
    expect(endsOf(played.firedTypes)).toEqual(['error']);
    expect(played.firedTypes.at(-1)).toBe('error');
    expect(played.history.slice(0, 3)).toEqual(['user: hello', 'assistant: [A B]', rolledBack('A', 'b failed')]);
    expect(played.model.requests).toHaveLength(1);
  });

  it('[S74] the error waits until all is undone and written', () => {
    const log = undoLog();
    const played = play({
      rounds: ['(ABC)|'],
      tools: [log.undoable('a', 'r|', { undo: '---|' }), log.undoable('b', 'r|', { undo: '--|' }), scriptedTool('c', '#')],
      compensateOnToolErrors: true,
    });
    expect(played.marbles).toBe('(A<a*aB<b*bC<c>c)(>a>b%)-^b--(^a#)');
    expect(played.error).toEqual(new Error('c failed'));
    expect(played.history.slice(2)).toEqual([rolledBack('A', 'c failed'), rolledBack('B', 'c failed'), `C! ${neutral}`]);
  });

  it('[S74] result() fails then too, and not before', () => {
    const log = undoLog();
    runMarbles(({ record }) => {
      const service = aiService({
        model: scriptedModel(['(AB)|']),
        tools: [log.undoable('a', 'r|', { undo: '---|' }), scriptedTool('b', '#')],
        compensateOnToolErrors: true,
      });
      record(service.result('hello')).toBe('----#');
    });
    expect(log.spans()).toEqual(['a -^--!']);
  });

  it('what a tool did whose own hook fails afterwards is undone with the rest', () => {
    const log = undoLog();
    const played = play({
      rounds: ['(AB)|'],
      tools: [log.undoable('a', 'r|'), log.undoable('b', '-r|')],
      afterToolExecution: ({ request }) => request.name === 'b' && fail(),
      compensateOnToolErrors: true,
    });
    expect(log.names()).toEqual(['b', 'a']);
    expect(played.error).toBe(thrown);
  });

  it('calls that were not begun when the failure came are never begun, and have nothing to undo', () => {
    const log = undoLog();
    const c = log.undoable('c', 'r|');
    const played = play({
      rounds: ['(ABC)|'],
      tools: [log.undoable('a', 'r|'), failing(), c],
      toolConcurrency: 1,
      compensateOnToolErrors: true,
    });
    expect(log.names()).toEqual(['a']);
    expect(c.subscriptions()).toEqual([]);
    expect(played.history.slice(2)).toEqual([rolledBack('A', 'b failed'), `B! ${neutral}`, `C! ${neutral}`]);
  });
});

describe('what undoes nothing:', () => {
  it('a tool that there is not, where the model is told so', () => {
    const { log, played } = story(undefined, { hallucinatedToolNameStrategy: () => 'there is no b' });
    expect(log.names()).toEqual([]);
    expect(played.history.slice(2, 4)).toEqual(['A: r', 'B! there is no b']);
  });

  it.each([false, { approved: false, reason: 'too dear' }])('a call that was not approved: %j', (decision) => {
    const b = tool({ name: 'b', needsApproval: true, execute: () => 1 });
    const { log, played } = story(b, { approveToolExecution: () => decision });
    expect(log.names()).toEqual([]);
    expect(played.history[2]).toBe('A: r');
    expect(played.history[3]).toContain('B! The call was not approved');
  });

  it('a call that a limit refuses while the model may still answer', () => {
    const { log, played } = story(scriptedTool('b', 'r|'), { limits: { toolCalls: 1, then: 'answer' } });
    expect(log.names()).toEqual([]);
    expect(played.history[2]).toBe('A: r');
    expect(played.history[3]).toContain('B! The tool was not called');
    expect(endsOf(played.firedTypes)).toEqual(['completed']);
  });

  it('an answer', () => {
    const { log, played } = story(scriptedTool('b', 'r|'));
    expect(log.names()).toEqual([]);
    expect(played.history.at(-1)).toBe('assistant: z');
  });

  it('results that are the answer', () => {
    const log = undoLog();
    const played = play({
      rounds: ['A|'],
      tools: [{ ...log.undoable('a', 'r|'), returnBehavior: 'immediate' }],
      compensateOnToolErrors: true,
    });
    expect(played.marbles).toBe('(A<a*a)(>a%$|)');
    expect(log.names()).toEqual([]);
  });

  it('an answer that was cut short', () => {
    const log = undoLog();
    const rounds = ['A|', { marbles: '-z|', response: { finishReason: 'length' as const } }];
    const played = play({ rounds, tools: [log.undoable('a', 'r|')], compensateOnToolErrors: true });
    expect(endsOf(played.firedTypes)).toEqual(['completed']);
    expect(log.names()).toEqual([]);
  });
});
