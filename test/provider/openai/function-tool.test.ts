import type OpenAI from 'openai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { functionTool } from '../../../src/provider/openai/function-tool.ts';
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
