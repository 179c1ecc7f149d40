import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isContent } from '../../src/chat/content.ts';
import { toolResult } from '../../src/tool/tool-result.ts';
import { tool } from '../../src/tool/tool.ts';
import type { ToolExecutionResult } from '../../src/tool/types.ts';
import { executed, textIn } from './call.ts';

const returning = (value: unknown) => executed(tool({ name: 'a', execute: () => value }));

describe('[S158] what a tool returns, as the model gets it', () => {
  it.each<[what: string, value: unknown, text: string]>([
    ['[G13] undefined', undefined, 'Success'],
    ['[G13][S95] null', null, 'null'],
    ['[G13] empty text', '', ''],
    ['[G13] an empty array', [], '[]'],
    ['[G13] 0', 0, '0'],
    ['[G13] false', false, 'false'],
    ['text', 'It is {"sunny"}.', 'It is {"sunny"}.'],
    ['a number', 1.5, '1.5'],
    ['a number that JSON lacks', NaN, 'NaN'],
    ['a bigint', 12345678901234567890n, '12345678901234567890'],
    ['an object', { city: 'Paris', days: [1, 2] }, '{"city":"Paris","days":[1,2]}'],
    ['an array of objects', [{ id: 1 }], '[{"id":1}]'],
    ['an array of texts', ['a', 'b'], '["a","b"]'],
    ['a Map', new Map([['a', 1]]), '{"a":1}'],
    ['a Set', new Set([1]), '[1]'],
    ['a Date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['bytes', new Uint8Array([1, 2, 255]), '"AQL/"'],
    ['an Error that is returned, not thrown', new Error('lost'), '{"name":"Error","message":"lost"}'],
    ['data that has a type of its own', { type: 'image', alt: 'no picture' }, '{"type":"image","alt":"no picture"}'],
  ])('%s', (_, value, text) => {
    const result = returning(value);
    expect(textIn(result)).toBe(text);
    expect(result.isError).toBe(false);
    expect(result.value).toBe(value);
  });

  it('an object that holds itself and a bigint is text, not a crash', () => {
    const circular: Record<string, unknown> = { n: 1n };
    circular['self'] = circular;
    expect(textIn(returning(circular))).toBe('{"n":"1","self":"[Circular]"}');
  });

  it('an object with a getter that throws is text, whatever the name of the getter', () => {
    const guarded = (name: string) =>
      Object.defineProperty({ kept: 1 }, name, {
        enumerable: true,
        get() {
          throw new Error('private');
        },
      });
    for (const name of ['secret', 'type', 'contents']) {
      expect(textIn(toolResult(guarded(name)))).toBe(`{"kept":1,"${name}":"[Throws Error: private]"}`);
    }
  });

  it('[S96] a content is a content, and a list of contents is a list of contents', () => {
    const image = { type: 'image', data: 'aGk=', mediaType: 'image/png' } as const;
    const text = { type: 'text', text: 'A picture:' } as const;
    expect(returning(image)).toEqual({ contents: [image], isError: false, value: image });
    expect(returning([text, image]).contents).toEqual([text, image]);
    expect(textIn(returning([text, 'not a content']))).toBe('[{"type":"text","text":"A picture:"},"not a content"]');
  });

  it('[S161] a whole result stays as it is, attributes and all', () => {
    const result: ToolExecutionResult = {
      contents: [{ type: 'text', text: 'no such file' }],
      isError: true,
      value: 404,
      attributes: { page: 2 },
    };
    expect(returning(result)).toBe(result);
    expect(returning({ contents: [], isError: false })).toEqual({ contents: [], isError: false });
  });

  it('what only looks like a result is data', () => {
    expect(textIn(returning({ contents: ['a'], isError: false }))).toBe('{"contents":["a"],"isError":false}');
    expect(textIn(returning({ contents: [] }))).toBe('{"contents":[]}');
  });

  it('[G13] is a valid result for any value there is', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
      withTypedArray: true,
      withSparseArray: true,
      withBoxedValues: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        const { contents, isError } = toolResult(value);
        expect(isError).toBe(false);
        expect(contents.length).toBeGreaterThan(0);
        expect(contents.every(isContent)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
