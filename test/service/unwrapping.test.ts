import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import type { ToolErrorContext } from '../../src/tool/tool-error-context.ts';
import { executorTool } from '../../src/tool/executor-tool.ts';
import { ToolArgumentsError, ToolExecutionError } from '../../src/tool/tool-errors.ts';
import { tool } from '../../src/tool/tool.ts';
import type { Tool } from '../../src/tool/types.ts';
import { keptLogs, play } from './support.ts';

/** What the handlers are given for a tool that fails. */
function handled(failing: Tool, args = '{}', call = {}) {
  const seen: { readonly handler: string; readonly error: Error; readonly context: ToolErrorContext }[] = [];
  const handler = (name: string) => (error: Error, context: ToolErrorContext) => {
    seen.push({ handler: name, error, context });
    return 'told';
  };
  const logger = keptLogs();
  const played = play({
    rounds: ['A|', '-z|'],
    script: { calls: { A: { arguments: args } } },
    tools: [failing],
    toolArgumentsErrorHandler: handler('arguments'),
    toolExecutionErrorHandler: handler('execution'),
    logger,
    call,
  });
  expect(seen).toHaveLength(1);
  const after = played.values.find((event) => event.type === 'afterToolExecution');
  return { ...seen[0]!, played, execution: after?.type === 'afterToolExecution' ? after.execution : undefined, logger };
}

const throwing = (thrown: unknown) =>
  tool({
    name: 'a',
    execute: () => {
      throw thrown;
    },
  });

describe('an error handler', () => {
  it('[S111] gets the error that the tool threw, and the wrapper round it as rawError', () => {
    const thrown = new Error('boom');
    const { handler, error, context, execution } = handled(throwing(thrown));
    expect(handler).toBe('execution');
    expect(error).toBe(thrown);
    expect(context.rawError).toBeInstanceOf(ToolExecutionError);
    expect((context.rawError as Error).cause).toBe(thrown);
    expect(execution).toMatchObject({ hasFailed: true, result: 'told' });
    expect(execution!.error).toBe(thrown);
    expect(execution!.rawError).toBe(context.rawError);
  });

  it('[S110] gets an error with a cause of its own as it is: the cause is not dug out', () => {
    const thrown = new Error('outer', { cause: new Error('inner') });
    expect(handled(throwing(thrown)).error).toBe(thrown);
  });

  it('gets what a user wrapped in a ToolExecutionError, one level of ours taken off', () => {
    const inner = new Error('inner');
    const thrown = new ToolExecutionError("the user's own", { cause: inner });
    expect(handled(throwing(thrown)).error).toBe(thrown);
  });

  it('[S124] gets the error of a tool that reads the request itself as it is, as error and as rawError', () => {
    const thrown = new Error('boom');
    const failing = executorTool({ name: 'a', parameters: {} }, () => {
      throw thrown;
    });
    const { error, context } = handled(failing);
    expect(error).toBe(thrown);
    expect(context.rawError).toBe(thrown);
  });

  it.each([
    ['a text', 'boom'],
    ['an empty text', ''],
    ['nothing', undefined],
    ['null', null],
    ['an object', { code: 7 }],
  ])('[G12] always gets an Error: %s that was thrown is wrapped and is the rawError', (_, thrown) => {
    const { error, context } = handled(throwing(thrown));
    expect(error).toBeInstanceOf(Error);
    expect(error.message.trim()).not.toBe('');
    expect(context.rawError).toBe(thrown);
  });

  it('gets what user code inside a schema threw, as an argument error', () => {
    const thrown = new Error('the lookup is down');
    const city = z.string().transform(() => {
      throw thrown;
    });
    const { handler, error, context } = handled(
      tool({ name: 'a', parameters: z.object({ city }), execute: () => 'never' }),
      '{"city":"Paris"}',
    );
    expect(handler).toBe('arguments');
    expect(error).toBe(thrown);
    expect(context.rawError).toBeInstanceOf(ToolArgumentsError);
  });

  it("gets a ToolArgumentsError with zod's issues for arguments that do not fit", () => {
    const { handler, error, context } = handled(
      tool({ name: 'a', parameters: z.object({ city: z.string() }), execute: () => 'never' }),
    );
    expect(handler).toBe('arguments');
    expect(error).toBeInstanceOf(ToolArgumentsError);
    expect((error as ToolArgumentsError).issues).toMatchObject([{ path: ['city'] }]);
    expect(context.rawError).toBe(error);
  });

  it('[S111] is told the request, the invocation, the memory id, the parameters and the logger', () => {
    const { context, played, logger } = handled(throwing(new Error('boom')), '{}', { parameters: { user: 7 } });
    expect(context.request).toEqual({ id: 'A', name: 'a', arguments: '{}' });
    expect(context.invocation).toBe(played.values[0]!.invocation);
    expect('memoryId' in context).toBe(false);
    expect(context.parameters).toBe(context.invocation.parameters);
    expect(context.parameters.get('user')).toBe(7);
    expect(context.logger).toBe(logger);
  });

  it('[S112] that throws fails the invocation with what it threw', () => {
    const own = new Error('enough');
    const played = play({
      rounds: ['A|'],
      tools: [scriptedTool('a', '-#')],
      toolExecutionErrorHandler: () => {
        throw own;
      },
    });
    expect(played.marbles).toBe('(A<a)(>a%#)');
    expect(played.error).toBe(own);
  });

  it('that throws something else than an Error still fails the invocation with one', () => {
    const played = play({
      rounds: ['A|'],
      tools: [scriptedTool('a', '-#')],
      toolExecutionErrorHandler: () => {
        throw 'enough';
      },
    });
    expect(played.error).toBeInstanceOf(Error);
    expect((played.error as Error).cause).toBe('enough');
  });

  it('that returns no text fails the invocation with an error that says so', () => {
    const played = play({
      rounds: ['A|'],
      tools: [scriptedTool('a', '-#')],
      toolExecutionErrorHandler: () => 42 as unknown as string,
    });
    expect((played.error as Error).name).toBe('ConfigurationError');
    expect((played.error as Error).message).toContain('42');
  });
});
