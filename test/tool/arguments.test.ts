import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import type { JsonSchema } from '../../src/chat/tool-specification.ts';
import { tool } from '../../src/tool/tool.ts';
import { ToolArgumentsError } from '../../src/tool/tool-errors.ts';
import { decoded, executed, failureOf, textIn } from './call.ts';

const forecast = z.object({
  city: z.string(),
  days: z.number().int(),
  unit: z.enum(['celsius', 'fahrenheit']).optional(),
  at: z.object({ hours: z.array(z.number()) }).optional(),
});

const echo = (parameters: z.core.$ZodObject | JsonSchema) =>
  tool({ name: 'echo', parameters, execute: (args) => args as unknown });

describe('[G5] arguments that do not fit', () => {
  it('never reach the tool', () => {
    const execute = vi.fn();
    expect(failureOf(tool({ name: 'a', parameters: forecast, execute }), { city: 5 })).toBeInstanceOf(ToolArgumentsError);
    expect(execute).not.toHaveBeenCalled();
  });

  it('are told to the model with the path, what was expected and what came, for each issue', () => {
    const { message } = failureOf(echo(forecast), { city: 5, days: 'two', unit: 'kelvin', at: { hours: [1, 'b'] } });
    const lines = message.split('\n');
    expect(lines[0]).toContain('echo');
    expect(lines.slice(1)).toEqual([
      '- city: Invalid input: expected string, received number; got 5',
      '- days: Invalid input: expected number, received string; got "two"',
      '- unit: Invalid option: expected one of "celsius"|"fahrenheit"; got "kelvin"',
      '- at.hours.1: Invalid input: expected number, received string; got "b"',
    ]);
  });

  it('are told alike with zod/mini and with a JSON Schema', () => {
    const schemas = [
      mini.object({ city: mini.string() }),
      { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    ];
    for (const schema of schemas)
      expect(failureOf(echo(schema), { city: 5 }).message).toContain(
        '\n- city: Invalid input: expected string, received number; got 5',
      );
  });

  it('[S157] say nothing came where a required value is missing', () => {
    expect(failureOf(echo(forecast), '').message.split('\n').slice(1)).toEqual([
      '- city: Invalid input: expected string, received undefined; got nothing',
      '- days: Invalid input: expected number, received undefined; got nothing',
    ]);
  });

  it('say what was expected where a value may be one of several kinds', () => {
    const { message } = failureOf(echo(z.object({ id: z.union([z.string(), z.number()]) })), { id: true });
    expect(message).toMatch(/- id: .*string.*number.*; got true/s);
  });

  it('name the root where the arguments as a whole do not fit', () => {
    expect(failureOf(echo(z.strictObject({})), { extra: 1 }).message).toContain(
      '\n- (root): Unrecognized key: "extra"; got {"extra":1}',
    );
  });

  it('show long values shortened', () => {
    const { message } = failureOf(echo(z.object({ n: z.number() })), { n: ['x'.repeat(1000)] });
    expect(message).toMatch(/got \["x{78}…$/);
  });

  it("carry zod's issues on the error", () => {
    const error = failureOf(echo(forecast), { city: 5, days: 1 }) as ToolArgumentsError;
    expect(error.name).toBe('ToolArgumentsError');
    expect(error.issues).toHaveLength(1);
    expect(error.issues[0]).toMatchObject({ path: ['city'], code: 'invalid_type', expected: 'string' });
  });

  it("are an argument error as well when the schema's own code throws, with that error as the cause", () => {
    const cause = new Error('no such id');
    const parameters = z.object({
      id: z.string().transform((): string => {
        throw cause;
      }),
    });
    const error = failureOf(echo(parameters), { id: 'a' });
    expect(error).toBeInstanceOf(ToolArgumentsError);
    expect(error.cause).toBe(cause);
    expect(error.message).toContain('no such id');
  });

  it.each([
    ['[]', 'not a JSON object'],
    ['5', 'not a JSON object'],
    ['"x"', 'not a JSON object'],
    ['{"a":', 'not valid JSON'],
    ['hello', 'not valid JSON'],
  ])('that are no object at all are told as such: %s', (text, reason) => {
    const error = failureOf(echo({}), text);
    expect(error).toBeInstanceOf(ToolArgumentsError);
    expect(error.message).toContain(reason);
    expect(error.message).toContain(text);
    expect((error as ToolArgumentsError).issues).toEqual([]);
  });

  it('that are very long and no JSON are not repeated in full', () => {
    const { message } = failureOf(echo({}), `{"a":"${'x'.repeat(100_000)}`);
    expect(message.length).toBeLessThan(500);
    expect(message).toContain('100006 characters');
  });
});

describe('[G20] integers beyond 2^53', () => {
  it('are rounded in the parsed arguments, and exact in the raw text that the tool can read', () => {
    const lookUp = tool({
      name: 'look_up',
      parameters: z.object({ id: z.number() }),
      execute: ({ id }, { request }) => `${id} ${/\d{10,}/.exec(request.arguments)![0]}`,
    });
    expect(textIn(executed(lookUp, '{"id":12345678901234567890}'))).toBe('12345678901234567000 12345678901234567890');
  });
});

describe('[S153] kinds of values', () => {
  it('a fraction is no integer, and an enum is matched exactly', () => {
    expect(failureOf(echo(z.object({ n: z.int() })), { n: 1.5 }).message).toContain('- n: ');
    expect(failureOf(echo(z.object({ n: z.int32() })), { n: 2 ** 31 }).message).toContain('- n: ');
    expect(failureOf(echo(z.object({ unit: z.enum(['celsius']) })), { unit: 'Celsius' }).message).toContain('- unit: ');
  });

  it('[S97] an argument may be one of several kinds of objects, also in a list', () => {
    const shape = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('circle'), r: z.number() }),
      z.object({ kind: z.literal('box'), w: z.number() }),
    ]);
    const args = {
      one: { kind: 'circle', r: 1 },
      many: [
        { kind: 'box', w: 2 },
        { kind: 'circle', r: 3 },
      ],
    };
    expect(decoded(echo(z.object({ one: shape, many: z.array(shape) })), args).value).toEqual(args);
  });

  it('a parameter may have the name of something that every object has', () => {
    expect(decoded(echo(z.object({ constructor: z.string() })), { constructor: 'McLaren' }).value).toEqual({
      constructor: 'McLaren',
    });
  });
});
