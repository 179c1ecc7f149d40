import { Observable, of, retry } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import { executorTool } from '../../src/tool/executor-tool.ts';
import type { ToolExecutionResult, ToolExecutor } from '../../src/tool/types.ts';
import { watch } from '../chat/watch.ts';
import { contextFor, executed, execution, failureOf, textIn } from './call.ts';

const parameters = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
const echo: ToolExecutor = (request) => ({ contents: [{ type: 'text', text: request.arguments }], isError: false });

describe('a tool made of an executor', () => {
  it.each(['{"n":1}', '{"n":"not a number"}', '{"n":', '', 'no JSON at all', '{"__proto__":{}}'])(
    '[S154] reads its arguments as the text that the model wrote: %s',
    (text) => {
      expect(textIn(executed(executorTool({ name: 'echo', parameters }, echo), text))).toBe(text);
    },
  );

  it.each([true, false, null, 5, 'text', [], [{ type: 'string' }]])(
    'takes a schema of a foreign server that is none as one without properties: %j',
    (odd) => {
      const made = executorTool({ name: 'echo', parameters: odd as never }, echo);
      expect(made.specification.parameters).toEqual({ type: 'object', properties: {} });
      expect(textIn(executed(made, '{"n":1}'))).toBe('{"n":1}');
    },
  );

  it('gets the request and the context of its call', () => {
    const executor = vi.fn(echo);
    const made = executorTool({ name: 'echo', parameters }, executor);
    const context = contextFor(made, { n: 1 });
    watch(execution(made, { n: 1 }, context));
    const [request, given] = executor.mock.calls[0]!;
    expect(request).toBe(context.request);
    expect(given.invocation).toBe(context.invocation);
    expect(given.parameters).toBe(context.parameters);
  });

  it('may answer by a value, an Observable or a promise', async () => {
    const result: ToolExecutionResult = { contents: [{ type: 'text', text: 'r' }], isError: true, attributes: { a: 1 } };
    expect(executed(executorTool({ name: 'a', parameters }, () => result))).toBe(result);
    expect(executed(executorTool({ name: 'a', parameters }, () => of(result)))).toBe(result);
    const later = watch(execution(executorTool({ name: 'a', parameters }, () => Promise.resolve(result))));
    await Promise.resolve();
    expect(later.values).toEqual([result]);
  });

  it.each<[how: string, fail: (error: unknown) => ToolExecutor]>([
    [
      'thrown',
      (error) => () => {
        throw error;
      },
    ],
    ['as an error of its Observable', (error) => () => new Observable<never>((subscriber) => subscriber.error(error))],
  ])('errors with what it threw, as it is: %s', (_, fail) => {
    for (const error of [new Error('own', { cause: new Error('inner') }), 'text', undefined]) {
      expect(failureOf(executorTool({ name: 'a', parameters }, fail(error)))).toBe(error);
    }
  });

  it('errors with what it rejected with, as it is', async () => {
    const error = new Error('own');
    const running = watch(execution(executorTool({ name: 'a', parameters }, () => Promise.reject(error))));
    await Promise.resolve();
    await Promise.resolve();
    expect(running.error).toBe(error);
  });

  it('can be piped', () => {
    let attempts = 0;
    const executor: ToolExecutor = (request, context) => {
      if (++attempts < 3) throw new Error('not yet');
      return echo(request, context);
    };
    expect(textIn(executed(executorTool({ name: 'a', parameters }, executor).pipe(retry(2)), 'raw'))).toBe('raw');
  });

  it('[G55] is declared with an object, also where the specification is poor', () => {
    const declared = (given: unknown) =>
      executorTool({ name: 'a', parameters: given as object as never }, echo).specification.parameters;
    expect(declared({})).toEqual({ type: 'object', properties: {} });
    expect(declared(undefined)).toEqual({ type: 'object', properties: {} });
    expect(declared(parameters)).toEqual(parameters);
  });

  it('keeps the rest of its specification', () => {
    const specification = { name: 'a', description: 'd', parameters, metadata: { server: 's' } };
    expect(executorTool(specification, echo).specification).toEqual(specification);
  });

  it.each<[what: string, make: () => unknown]>([
    ['without a specification', () => executorTool(undefined as never, echo)],
    ['without a name', () => executorTool({ parameters } as never, echo)],
    ['with a blank name', () => executorTool({ name: ' ', parameters }, echo)],
    ['without a function', () => executorTool({ name: 'a', parameters }, undefined as never)],
  ])('is a ConfigurationError %s', (_, make) => {
    expect(make).toThrow(ConfigurationError);
  });
});
