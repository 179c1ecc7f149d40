import type OpenAI from 'openai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { schemaFormat } from '../../../src/provider/openai/schema-format.ts';

const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
afterEach(() => warn.mockClear());

describe('the schema of an answer for OpenAI', () => {
  it('is strict where that is asked for and every property is required', () => {
    const schema = z.toJSONSchema(z.object({ a: z.string() }), { io: 'input' });
    const format: OpenAI.ResponseFormatJSONSchema['json_schema'] = { name: '', ...schemaFormat('my answer', schema, true) };
    expect(format).toMatchObject({ strict: true, schema: { type: 'object', required: ['a'], additionalProperties: false } });
    expect(format.name).toMatch(/^my_answer_\w+$/);
    expect(schemaFormat(undefined, schema, false)).toEqual({ name: 'response', schema });
  });

  it('is not strict where a property is optional, which is told once', () => {
    const schema = z.toJSONSchema(z.object({ a: z.string().optional() }), { io: 'input' });
    for (let i = 0; i < 2; i++) expect(schemaFormat('person', schema, true)).toEqual({ name: 'person', schema, strict: false });
    expect(warn.mock.calls).toEqual([["openai: the answer's schema person is sent without strict, since a is optional."]]);
  });
});
