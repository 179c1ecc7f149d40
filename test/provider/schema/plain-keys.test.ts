import { describe, expect, it } from 'vitest';
import { plainKeys } from '../../../src/provider/schema/plain-keys.ts';

describe('a property whose name Anthropic refuses', () => {
  const schema = {
    type: 'object',
    description: 'Lists files.',
    properties: { path: { type: 'string' }, $top: { type: 'integer' }, 'filter[id]': { type: 'string' } },
    required: ['path', '$top'],
    additionalProperties: false,
  };

  it('is told in the description, so that it fails no request and can still be used', () => {
    expect(plainKeys(schema)).toEqual({
      type: 'object',
      description:
        'Lists files. It also takes, by these exact names: {"$top":{"type":"integer"},"filter[id]":{"type":"string"}}. Required of them: ["$top"].',
      properties: { path: { type: 'string' } },
      required: ['path'],
    });
  });

  it('is one that is too long, too', () => {
    const long = 'x'.repeat(65);
    expect(plainKeys({ type: 'object', properties: { [long]: {} } })).toMatchObject({ properties: {} });
    const fits = { type: 'object', properties: { ['x'.repeat(64)]: {}, 'a.b-c_D9': {} } };
    expect(plainKeys(fits)).toBe(fits);
  });

  it('inside another property is no trouble', () => {
    const nested = { type: 'object', properties: { query: { type: 'object', properties: { $top: {} } } } };
    expect(plainKeys(nested)).toBe(nested);
  });
});
