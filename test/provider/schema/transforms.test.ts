import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { geminiDeclaration } from '../../../src/provider/schema/gemini-declaration.ts';
import { objectSchema } from '../../../src/provider/schema/object-schema.ts';
import { plainKeys } from '../../../src/provider/schema/plain-keys.ts';
import { strictForm } from '../../../src/provider/schema/strict-form.ts';
import { tool } from '../../../src/tool/tool.ts';
import { toolSchema } from '../../../src/tool/tool-schema.ts';

class Id {
  constructor(readonly text: string) {}
}

const parameters = z.object({
  id: z.string().transform((text) => new Id(text)),
  count: z.number().default(5),
  when: z.coerce.date(),
  piped: z.string().pipe(z.coerce.number()).optional(),
});
const { specification } = tool({ name: 'x', parameters, execute: () => '' });

describe('transforms and defaults', () => {
  it('[G54] are declared by their input side in every dialect', () => {
    expect(objectSchema(specification.parameters)).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string' },
        count: { type: 'number', default: 5 },
        when: { type: 'string', format: 'date-time' },
        piped: { type: 'string' },
      },
      required: ['id', 'when'],
    });
    expect(plainKeys(specification.parameters)).toBe(specification.parameters);
    expect(strictForm(specification.parameters).schema).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string' },
        count: { type: ['number', 'null'], description: '(default 5)' },
        when: { type: 'string', format: 'date-time' },
        piped: { type: ['string', 'null'] },
      },
      required: ['id', 'count', 'when', 'piped'],
      additionalProperties: false,
    });
    expect(geminiDeclaration(specification.parameters)).toEqual({
      parameters: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          count: { type: 'number', description: '(default 5)' },
          when: { type: 'string', format: 'date-time' },
          piped: { type: 'string' },
        },
        required: ['id', 'when'],
      },
    });
  });

  it('[G54] come out by their output side, with defaults in the places of nulls that strict mode asked for', () => {
    const written = { id: 'a', count: null, when: '2026-01-02T03:04:05Z', piped: null };
    expect(toolSchema('x', parameters).check(written)).toEqual({
      value: { id: new Id('a'), count: 5, when: new Date('2026-01-02T03:04:05Z') },
      repaired: true,
    });
  });
});
