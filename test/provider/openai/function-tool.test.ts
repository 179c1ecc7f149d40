import type OpenAI from 'openai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { functionTool, schemaFormat } from '../../../src/provider/openai/function-tool.ts';
import { tool } from '../../../src/tool/tool.ts';

const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
afterEach(() => warn.mockClear());

const search = () =>
  tool({
    name: 'search',
    description: 'Searches',
    parameters: z.object({ urls: z.array(z.string()), depth: z.int().optional() }),
    execute: () => '',
  }).specification;
const records = () =>
  tool({ name: 'save', parameters: z.object({ row: z.record(z.string(), z.string()) }), execute: () => '' }).specification;

describe('a tool for OpenAI', () => {
  it('is declared by the schema that it has, without a word of strict where that is not asked for', () => {
    const specification = search();
    const declared: OpenAI.FunctionDefinition = { name: '', ...functionTool(specification, false) };
    expect(declared).toEqual({ name: 'search', description: 'Searches', parameters: specification.parameters });
    expect(declared.parameters).toBe(specification.parameters);
  });

  it('[G52] is strict where that is asked for', () => {
    const declared: OpenAI.FunctionDefinition = { name: '', ...functionTool(search(), true) };
    expect(declared).toMatchObject({
      strict: true,
      parameters: {
        properties: { urls: { type: 'array' }, depth: { type: ['integer', 'null'] } },
        required: ['urls', 'depth'],
        additionalProperties: false,
      },
    });
    expect(warn).not.toHaveBeenCalled();
  });

  it('[G52] is not strict where it can’t be, which is told once', () => {
    const specification = records();
    for (let i = 0; i < 3; i++) {
      expect(functionTool(specification, true)).toEqual({ name: 'save', parameters: specification.parameters, strict: false });
    }
    expect(warn.mock.calls).toEqual([
      [
        'openai: tool save is declared without strict, since row takes further properties; its arguments are checked all the same.',
      ],
    ]);
    functionTool(records(), true);
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it('[G56] has a root that the API takes, whatever its schema is', () => {
    const parameters = { anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'string' }] };
    const object = { type: 'object', properties: { a: { type: 'string' } } };
    expect(functionTool({ name: 'odd', parameters }, false)).toEqual({ name: 'odd', parameters: object });
    expect(functionTool({ name: 'odd', parameters }, true)).toEqual({ name: 'odd', parameters: object, strict: false });
  });
});

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
