import { describe, expect, it } from 'vitest';
import { map, of } from 'rxjs';
import { z } from 'zod';
import { executorTool } from '../../src/tool/executor-tool.ts';
import { toolExecutionErrorHandler, type ToolErrorHandler } from '../../src/tool/error-handlers.ts';
import type { ToolErrorContext } from '../../src/tool/tool-error-context.ts';
import { ToolArgumentsError, ToolExecutionError } from '../../src/tool/tool-errors.ts';
import { tool } from '../../src/tool/tool.ts';
import type { Tool, ToolExecutionResult } from '../../src/tool/types.ts';
import { toolErrorVisibleToLlm } from '../../src/tool/visible-to-llm.ts';
import { play, type Script } from '../service/support.ts';

const failing = (thrown: unknown) =>
  tool({
    name: 'a',
    execute: () => {
      throw thrown;
    },
  });

interface Seen {
  readonly error: Error;
  readonly context: ToolErrorContext;
}

/** A handler that keeps what it was given. */
function keeping(answer: ToolErrorHandler = () => 'handled') {
  const seen: Seen[] = [];
  const handler: ToolErrorHandler = (error, context) => {
    seen.push({ error, context });
    return answer(error, context);
  };
  return { seen, handler };
}

/** One call of the tool a, then the answer z. */
function called(a: Tool, options: Partial<Script> = {}) {
  const played = play({ rounds: ['A|', 'z|'], tools: [a], ...options });
  const after = played.values.find((event) => event.type === 'afterToolExecution');
  return { ...played, execution: after?.execution };
}

/** The model is told of the failure, and answers. */
const goesOn = '(A<a>a)(%z)($|)';

const sendMessage = { toolExecutionErrorHandler: toolExecutionErrorHandler.sendExceptionMessageToLlm() };

describe('an execution error', () => {
  it("[S111] reaches a handler of one's own with the user's error and the context of the call, and its text goes to the model", () => {
    const cause = new Error('disk full');
    const { seen, handler } = keeping();
    const { model, execution, marbles } = called(failing(cause), {
      toolExecutionErrorHandler: handler,
      call: { parameters: { tenant: 7 } },
    });
    expect(marbles).toBe(goesOn);
    expect(seen[0]!.error).toBe(cause);
    expect(seen[0]!.context).toMatchObject({
      request: { id: 'A', name: 'a', arguments: '{}' },
      rawError: { name: 'ToolExecutionError', cause },
    });
    expect(seen[0]!.context.parameters.get('tenant')).toBe(7);
    expect(seen[0]!.context.invocation.invocationId).not.toBe('');
    expect(model.requests[1]!.messages.at(-1)).toMatchObject({
      role: 'tool',
      id: 'A',
      isError: true,
      contents: [{ type: 'text', text: 'handled' }],
    });
    expect(execution).toMatchObject({ hasFailed: true, result: 'handled' });
    expect(execution!.error).toBe(cause);
  });

  it('[S112] fails the invocation with what the handler throws', () => {
    const own = new Error('from the handler');
    const { error } = called(failing(new Error('x')), {
      toolExecutionErrorHandler: () => {
        throw own;
      },
    });
    expect(error).toBe(own);
  });

  it('[S124] can be thrown again as it was before unwrapping', () => {
    const { error } = called(failing(new Error('inner')), {
      toolExecutionErrorHandler: (_, { rawError }) => {
        throw rawError;
      },
    });
    expect(error).toBeInstanceOf(ToolExecutionError);
    expect((error as Error).cause).toMatchObject({ message: 'inner' });
  });

  it('[S58][S122] fails the invocation as the very error that the tool threw', () => {
    const cause = new Error('disk full');
    expect(called(failing(cause)).error).toBe(cause);
  });

  it('[S110][S127] keeps its own cause: only our wrapper is taken off', () => {
    const cause = new Error('outer', { cause: new Error('inner') });
    for (const a of [failing(cause), executorTool({ name: 'a', parameters: {} }, failing(cause).execute)]) {
      const { seen, handler } = keeping();
      called(a, { toolExecutionErrorHandler: handler });
      expect(seen[0]!.error).toBe(cause);
    }
  });

  it('[S127] of our own class that the tool itself threw is not unwrapped twice', () => {
    const own = new ToolExecutionError('own', { cause: new Error('inner') });
    const { seen, handler } = keeping();
    called(failing(own), { toolExecutionErrorHandler: handler });
    expect(seen[0]!.error).toBe(own);
  });

  it.each([
    ['boom', 'The tool threw boom'],
    [undefined, 'The tool threw undefined'],
    [new Error(''), 'Error'],
  ])('[G12] that is %s: the model gets a text that is not empty, and the raw thrown value is on the event', (thrown, text) => {
    const { execution, model } = called(failing(thrown), sendMessage);
    expect(model.requests[1]!.messages.at(-1)).toMatchObject({ contents: [{ type: 'text', text }] });
    expect(execution).toMatchObject({ result: text, error: { message: thrown instanceof Error ? '' : text } });
    expect('rawError' in execution!).toBe(true);
    const { rawError } = execution!;
    expect(thrown instanceof Error ? (rawError as Error).cause : rawError).toBe(thrown);
  });

  it.each<[kind: string, make: (thrown: unknown) => Tool]>([
    ['tool', failing],
    [
      'executorTool',
      (thrown) =>
        executorTool({ name: 'a', parameters: {} }, () => {
          throw thrown;
        }),
    ],
  ])('whose message is no text neither crashes nor hangs the invocation: %s', (_, make) => {
    const odd = Object.assign(new Error(), { message: { code: 5 } });
    expect(called(make(odd), sendMessage).marbles).toBe(goesOn);
    expect(called(make(odd)).error).toBe(odd);
  });

  it('[S115] that is visible goes to the model by default, with its cause kept back', () => {
    const visible = toolErrorVisibleToLlm('There is no order 7.', { cause: new Error('SELECT failed') });
    const { model, marbles } = called(failing(visible));
    expect(marbles).toBe(goesOn);
    expect(model.requests[1]!.messages.at(-1)).toMatchObject({
      isError: true,
      contents: [{ type: 'text', text: 'There is no order 7.' }],
    });
    expect(JSON.stringify(model.requests[1])).not.toContain('SELECT');
  });

  it('[S118] that wraps a visible one fails the invocation by default', () => {
    const wrapping = new Error('hidden', { cause: toolErrorVisibleToLlm('visible') });
    expect(called(failing(wrapping)).error).toBe(wrapping);
  });

  it("[S125] that a tool tells by a result of its own is an error result, and no handler's business", () => {
    const { seen, handler } = keeping();
    const result: ToolExecutionResult = {
      contents: [{ type: 'text', text: 'no such file' }],
      isError: true,
      attributes: { code: 404 },
    };
    const { execution, model } = called(tool({ name: 'a', execute: () => result }), { toolExecutionErrorHandler: handler });
    expect(seen).toEqual([]);
    expect(execution).toMatchObject({ hasFailed: true, result: 'no such file', attributes: { code: 404 } });
    expect(execution!.error).toBeUndefined();
    expect(model.requests[1]!.messages.at(-1)).toMatchObject({ isError: true, attributes: { code: 404 } });
  });
});

describe('[S156] an argument error', () => {
  const cause = new Error('no such city');
  const strict = tool({ name: 'a', parameters: z.object({ n: z.number() }), execute: ({ n }) => n });
  const throwing = tool({
    name: 'a',
    parameters: z.object({
      n: z.number().transform((): number => {
        throw cause;
      }),
    }),
    execute: ({ n }) => n,
  });
  const script = { calls: { A: { arguments: '{"n":1}' } } };

  it('[S127] of code inside the schema is unwrapped to what that code threw', () => {
    const { seen, handler } = keeping();
    called(throwing, { toolArgumentsErrorHandler: handler, script });
    expect(seen[0]!.error).toBe(cause);
    expect(seen[0]!.context.rawError).toBeInstanceOf(ToolArgumentsError);
  });

  it('[S22][S66] of the schema goes to the model by default, with the path; the execution has no arguments', () => {
    const { execution, model, marbles } = called(strict, { script: { calls: { A: { arguments: '{"n":"x"}' } } } });
    expect(marbles).toBe(goesOn);
    expect(execution!.error).toBeInstanceOf(ToolArgumentsError);
    expect('arguments' in execution!).toBe(false);
    expect(JSON.stringify(model.requests[1]!.messages.at(-1))).toContain('- n: Invalid input: expected number, received string');
  });

  it('that the tool itself throws goes to the handler for arguments as well', () => {
    const own = new ToolArgumentsError('n must be odd');
    const { seen, handler } = keeping();
    called(failing(own), { toolArgumentsErrorHandler: handler });
    expect(seen[0]!.error).toBe(own);
  });
});

describe('what was done to the arguments', () => {
  const numbers = tool({ name: 'a', parameters: z.object({ n: z.number().default(3) }), execute: ({ n }) => n });

  it.each<[what: string, text: string, execution: object]>([
    ['nothing', '{"n":1}', { arguments: { n: 1 } }],
    ['a default', '', { arguments: { n: 3 } }],
    ['a decoded string', '{"n":"5"}', { arguments: { n: 5 }, repaired: true }],
    ['a comma too many', '{"n":5,}', { arguments: { n: 5 }, repaired: true }],
  ])('[G19] is told by the execution: %s', (_, text, expected) => {
    const { execution, model } = called(numbers, { script: { calls: { A: { arguments: text } } } });
    expect(execution).toMatchObject(expected);
    expect('repaired' in execution!).toBe('repaired' in expected);
    // [G20] What goes back to the model is the text that it wrote.
    expect(model.requests[1]!.messages.at(-2)).toMatchObject({ toolExecutionRequests: [{ arguments: text }] });
  });
});

describe('something that is no result', () => {
  it('neither crashes nor hangs the invocation when an interceptor emits it', () => {
    const interceptors = { tool: [() => of(undefined as unknown as ToolExecutionResult)] };
    expect(called(failing('never run'), { interceptors }).marbles).toMatch(/[|#]\)?$/);
  });

  it('neither crashes nor hangs the invocation when a tool made by hand emits it', () => {
    const specification = { name: 'a', parameters: { type: 'object' } };
    const byHand: Tool = { specification, execute: () => of({ isError: false } as ToolExecutionResult), pipe: () => byHand };
    expect(called(byHand).marbles).toMatch(/[|#]\)?$/);
    expect(
      called(tool({ name: 'a', execute: () => 'r' }).pipe(map(() => 'r' as unknown as ToolExecutionResult))).marbles,
    ).toMatch(/[|#]\)?$/);
  });
});
