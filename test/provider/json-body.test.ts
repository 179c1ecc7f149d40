import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonBody } from '../../src/provider/json-body.ts';

const bodyOf = (...written: Parameters<typeof jsonBody>): unknown => JSON.parse(jsonBody(...written));

describe('jsonBody', () => {
  it('holds the settings that are set', () => {
    expect(jsonBody({ model: 'm', seed: undefined, n: 0, none: null })).toBe('{"model":"m","n":0,"none":null}');
    expect(jsonBody({})).toBe('{}');
  });

  it('takes what was serialised before as it is, behind the settings', () => {
    const serialised = { messages: () => '[{"digits":12345678901234567890}]', tools: () => '[]' };
    expect(jsonBody({ model: 'm' }, {}, serialised)).toBe(
      '{"model":"m","messages":[{"digits":12345678901234567890}],"tools":[]}',
    );
    expect(jsonBody({}, undefined, serialised)).toBe('{"messages":[{"digits":12345678901234567890}],"tools":[]}');
  });

  it("merges the caller's objects into the settings at any depth, and replaces all else", () => {
    const settings = {
      options: { seed: 1, inner: { a: 1, list: [1, 2] } },
      think: 'low',
      stop: ['a'],
      format: { type: 'object' },
    };
    const own = {
      options: { num_ctx: 8, inner: { b: 2, list: [3] } },
      think: { level: 1 },
      stop: ['b'],
      format: 'json',
      keep_alive: -1,
    };
    expect(bodyOf(settings, own)).toEqual({
      options: { seed: 1, num_ctx: 8, inner: { a: 1, b: 2, list: [3] } },
      think: { level: 1 },
      stop: ['b'],
      format: 'json',
      keep_alive: -1,
    });
    expect(settings.options).toEqual({ seed: 1, inner: { a: 1, list: [1, 2] } });
  });

  it('lets the caller take a setting out', () => {
    expect(bodyOf({ stream: true, seed: 1 }, { stream: undefined, tools: undefined }, { tools: () => '[1]' })).toEqual({
      seed: 1,
    });
  });

  it('does not serialise what the caller sets himself', () => {
    const fail = () => {
      throw new Error('serialised');
    };
    expect(bodyOf({}, { messages: ['mine'] }, { messages: fail })).toEqual({ messages: ['mine'] });
  });

  it('knows no keys but those that it is given', () => {
    const own = JSON.parse('{"__proto__":{"a":1},"constructor":{"b":2},"toString":"x"}') as Record<string, unknown>;
    expect(jsonBody({ model: 'm' }, own)).toBe('{"model":"m","__proto__":{"a":1},"constructor":{"b":2},"toString":"x"}');
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
    expect(bodyOf({}, {}, { constructor: () => '1' })).toEqual(JSON.parse('{"constructor":1}'));
  });

  it('is JSON that says what was given, whatever it is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()), (settings, own) => {
        const body = bodyOf(settings, own, { behind: () => '{"x":1}' }) as Record<string, unknown>;
        for (const [key, value] of Object.entries(own)) {
          const isMerged = typeof value === 'object' && value !== null && !Array.isArray(value);
          const wanted = JSON.parse(JSON.stringify(value)) as unknown;
          if (isMerged) expect(body[key]).toMatchObject(wanted as object);
          else expect(body[key]).toEqual(wanted);
        }
        const keys = new Set([...Object.keys(settings), ...Object.keys(own), 'behind']);
        expect(new Set(Object.keys(body))).toEqual(keys);
      }),
    );
  });
});
