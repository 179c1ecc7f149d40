import { describe, expect, it } from 'vitest';
import { StructuredOutputError } from '../../../src/service/output/structured-output-error.ts';

describe('the error for an answer that is not what output asks for', () => {
  it('says what is wrong and shows the answer', () => {
    const cause = new Error('zod');
    const error = new StructuredOutputError('It does not fit.', { text: '{"a":1}', cause });
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe('StructuredOutputError');
    expect(error.message).toBe('It does not fit.\nThe answer was: {"a":1}');
    expect(error.text).toBe('{"a":1}');
    expect(error.cause).toBe(cause);
  });

  it('has the whole of a long answer, and shows its beginning', () => {
    const error = new StructuredOutputError('It does not fit.', { text: 'x'.repeat(10_000) });
    expect(error.text).toHaveLength(10_000);
    expect(error.message).toMatch(/x{500}… \(10000 characters\)$/);
    expect(error).not.toHaveProperty('cause');
  });

  it('says so when there was no text', () => {
    for (const options of [undefined, { text: null }, { text: '' }])
      expect(new StructuredOutputError('It is empty.', options).message).toBe('It is empty.\nThe answer was: (no text)');
  });
});
