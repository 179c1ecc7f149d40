import { describe, expect, expectTypeOf, it } from 'vitest';
import { of, type Observable } from 'rxjs';
import { z } from 'zod';
import * as mini from 'zod/mini';
import type { JsonSchema } from '../../src/chat/tool-specification.ts';
import { executorTool } from '../../src/tool/executor-tool.ts';
import { tool, type Args } from '../../src/tool/tool.ts';
import type { Tool, ToolContext, ToolExecution, ToolExecutionResult } from '../../src/tool/types.ts';

// The type checker is the judge here; at run time the definitions are only made.
describe('the types of a tool', () => {
  it('infer the arguments from zod', () => {
    const made = tool({
      name: 'a',
      parameters: z.object({ city: z.string(), days: z.number().optional(), unit: z.enum(['c', 'f']) }),
      execute: (args, context) => {
        expectTypeOf(args).toEqualTypeOf<{ city: string; days?: number | undefined; unit: 'c' | 'f' }>();
        expectTypeOf(context).toEqualTypeOf<ToolContext>();
      },
    });
    expectTypeOf(made).toEqualTypeOf<Tool>();
    expect(made.specification.name).toBe('a');
  });

  it('infer the arguments from zod/mini', () => {
    const made = tool({
      name: 'a',
      parameters: mini.object({ city: mini.string(), days: mini.optional(mini.number()) }),
      execute: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ city: string; days?: number | undefined }>();
      },
    });
    expect(made.specification.name).toBe('a');
  });

  it('[G54] infer the output side: defaults are there, and transforms are done', () => {
    const made = tool({
      name: 'a',
      parameters: z.object({
        n: z.number().default(5),
        at: z.coerce.date(),
        length: z.string().transform((text) => text.length),
      }),
      execute: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ n: number; at: Date; length: number }>();
      },
    });
    expect(made.specification.name).toBe('a');
  });

  it('give unknown properties for a plain JSON Schema', () => {
    const made = tool({
      name: 'a',
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
      execute: (args) => {
        expectTypeOf(args).toEqualTypeOf<Readonly<Record<string, unknown>>>();
        expectTypeOf(args['city']).toEqualTypeOf<unknown>();
      },
    });
    const schema: JsonSchema = made.specification.parameters;
    expectTypeOf<Args<typeof schema>>().toEqualTypeOf<Readonly<Record<string, unknown>>>();
    expect(schema['type']).toBe('object');
  });

  it('give no properties without parameters', () => {
    const made = tool({
      name: 'a',
      execute: (args) => {
        expectTypeOf(args).toEqualTypeOf<Readonly<Record<never, never>>>();
      },
    });
    // @ts-expect-error There is no city without parameters.
    tool({ name: 'b', execute: ({ city }) => city as unknown });
    expect(made.specification.name).toBe('a');
  });

  it('let execute return a value, a promise, an Observable or an async iterable', () => {
    const values = tool({ name: 'a', execute: () => 5 });
    const promises = tool({ name: 'b', execute: () => Promise.resolve(5) });
    const observables = tool({ name: 'c', execute: () => of(5) });
    const iterables = tool({
      name: 'd',
      execute: async function* () {
        yield await Promise.resolve(5);
      },
    });
    expectTypeOf([values, promises, observables, iterables]).toEqualTypeOf<Tool[]>();
    expect([values, promises, observables, iterables]).toHaveLength(4);
  });

  it('give compensate and needsApproval the arguments and the result of execute', () => {
    const made = tool({
      name: 'a',
      parameters: z.object({ amount: z.number() }),
      execute: ({ amount }) => Promise.resolve({ receipt: amount }),
      compensate: (execution) => {
        expectTypeOf(execution.arguments).toEqualTypeOf<{ amount: number } | undefined>();
        expectTypeOf(execution.resultObject).toEqualTypeOf<{ receipt: number } | undefined>();
      },
      needsApproval: ({ amount }) => amount > 100,
    });
    const streamed = tool({
      name: 'b',
      execute: () => of(1, 2),
      compensate: ({ resultObject }) => {
        expectTypeOf(resultObject).toEqualTypeOf<number | undefined>();
      },
    });
    expectTypeOf([made, streamed]).toEqualTypeOf<Tool[]>();
    expect(made.compensate).toBeDefined();
    // @ts-expect-error There is no such behavior.
    expect(() => tool({ name: 'a', execute: () => 1, returnBehavior: 'now' })).toThrow('returnBehavior');
  });

  it('refuse parameters that are no object', () => {
    // @ts-expect-error A number is no schema.
    expect(() => tool({ name: 'a', parameters: 42, execute: () => 1 })).toThrow();
    // @ts-expect-error A zod string is no object.
    expect(() => tool({ name: 'a', parameters: z.string(), execute: () => 1 })).toThrow();
    // @ts-expect-error Neither is a zod array.
    expect(() => tool({ name: 'a', parameters: z.array(z.string()), execute: () => 1 })).toThrow();
    // @ts-expect-error Nor a union of objects.
    expect(() => tool({ name: 'a', parameters: z.union([z.object({}), z.object({})]), execute: () => 1 })).toThrow();
    // @ts-expect-error Nor a string of zod/mini.
    expect(() => tool({ name: 'a', parameters: mini.string(), execute: () => 1 })).toThrow();
  });

  it('refuse a definition that lacks its parts', () => {
    // @ts-expect-error No name.
    expect(() => tool({ execute: () => 1 })).toThrow();
    // @ts-expect-error No function.
    expect(() => tool({ name: 'a' })).toThrow();
    // @ts-expect-error No such option.
    expect(() => tool({ name: 'a', execute: () => 1, onError: () => 1 })).toThrow();
  });

  it('know the argument that execute misuses', () => {
    const made = tool({
      name: 'a',
      parameters: z.object({ city: z.string() }),
      execute: (args) => {
        // @ts-expect-error There is no town.
        expectTypeOf(args.town).toBeAny();
        // @ts-expect-error A city is no number.
        return args.city * 2;
      },
    });
    expect(made.specification.name).toBe('a');
  });

  it('are those of the contract for what comes out', () => {
    const made = executorTool({ name: 'a', parameters: { type: 'object' } }, () => ({ contents: [], isError: false }));
    expectTypeOf(made.execute).returns.toEqualTypeOf<Observable<ToolExecutionResult>>();
    expectTypeOf(made.pipe).returns.toEqualTypeOf<Tool>();
    expectTypeOf<ToolExecution['resultObject']>().toEqualTypeOf<unknown>();
    expectTypeOf<ToolExecution<{ n: number }, string>['arguments']>().toEqualTypeOf<{ n: number } | undefined>();
    expect(made.pipe().specification).toBe(made.specification);
  });
});
