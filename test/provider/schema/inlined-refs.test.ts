import { describe, expect, it } from 'vitest';
import { inlinedRefs } from '../../../src/provider/schema/inlined-refs.ts';

describe('references in a schema', () => {
  it('give way to what they point at, wherever that is', () => {
    const text = { type: 'string' };
    const schema = {
      type: 'object',
      properties: {
        a: { $ref: '#/$defs/text' },
        b: { $ref: '#/definitions/list' },
        d: { $ref: '#/$defs/a~1b%20c' },
        e: { $ref: '#/properties/f/anyOf/1' },
        f: { anyOf: [text, { type: 'number' }] },
      },
      $defs: { text, 'a/b c': { type: 'boolean' } },
      definitions: { list: { type: 'array', items: { $ref: '#/$defs/text' } } },
    };
    expect(inlinedRefs(schema)).toEqual({
      type: 'object',
      properties: {
        a: text,
        b: { type: 'array', items: text },
        d: { type: 'boolean' },
        e: { type: 'number' },
        f: { anyOf: [text, { type: 'number' }] },
      },
    });
  });

  it('keep what stands beside them', () => {
    const $defs = { a: { type: 'string', description: 'A', maxLength: 5 } };
    const inlined = (property: object): unknown => inlinedRefs({ properties: { p: property }, $defs });
    expect(inlined({ $ref: '#/$defs/a', description: 'Mine' })).toEqual({
      properties: { p: { ...$defs.a, description: 'Mine' } },
    });
    expect(inlined({ $ref: '#/$defs/a', minLength: 1 })).toEqual({ properties: { p: { ...$defs.a, minLength: 1 } } });
    expect(inlined({ $ref: '#/$defs/a', maxLength: 9 })).toEqual({ properties: { p: { allOf: [$defs.a, { maxLength: 9 }] } } });
  });

  it('to nowhere, to themselves and to other documents are gone', () => {
    const properties = {
      a: { $ref: '#/$defs/gone', title: 'A' },
      b: { $ref: '#/properties/b' },
      c: { $ref: 'https://x.test/schema' },
    };
    expect(inlinedRefs({ properties })).toEqual({ properties: { a: { title: 'A' }, b: {}, c: {} } });
  });

  it.each([
    ['in its properties', { properties: { a: { $ref: '#' } } }],
    [
      'in a definition',
      { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/a' }] } } },
    ],
    [
      'over another',
      {
        $ref: '#/$defs/a',
        $defs: { a: { items: { $ref: '#/$defs/b' } }, b: { properties: { a: { $ref: '#/$defs/a' } } } },
      },
    ],
  ])('can’t be resolved in a schema that holds itself %s', (_, schema) => {
    expect(inlinedRefs(schema)).toBeUndefined();
  });

  it('that are in a circle which nothing points at do not matter', () => {
    const $defs = { a: { properties: { a: { $ref: '#/$defs/a' } } } };
    expect(inlinedRefs({ type: 'object', properties: {}, $defs })).toEqual({ type: 'object', properties: {} });
  });

  it('that would make a huge schema of a small one are not resolved', () => {
    const names = Array.from({ length: 40 }, (_, i) => `d${i}`);
    const next = (i: number) => ({ $ref: `#/$defs/d${i + 1}` });
    const $defs = Object.fromEntries([
      ...names.map((name, i) => [name, { properties: { a: next(i), b: next(i) } }]),
      ['d40', {}],
    ]) as object;
    expect(inlinedRefs({ properties: { a: { $ref: '#/$defs/d0' } }, $defs })).toBeUndefined();
  });

  it('that are not there change nothing', () => {
    const schema = { type: 'object', properties: { $ref: { type: 'string' } } };
    expect(inlinedRefs(schema)).toBe(schema);
  });
});
