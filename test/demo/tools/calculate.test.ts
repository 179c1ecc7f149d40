import { describe, expect, it } from 'vitest';
import { calculate } from '../../../src/demo/tools/calculate.ts';
import { called } from './calling.ts';

describe('calculate', () => {
  it('answers with the value', async () => {
    const { execution } = await called(calculate, { expression: '(3 + 4) * 2.5' });
    expect(execution).toMatchObject({ result: '17.5', hasFailed: false });
  });

  it('tells the model about an expression that it can not read, and the invocation goes on', async () => {
    const { content, execution } = await called(calculate, { expression: '3 apples' });
    expect(execution).toMatchObject({ hasFailed: true, error: { name: 'ToolErrorVisibleToLlm' } });
    expect(execution.result).toContain('Expected an operator and found "a".');
    expect(content).toBe('z');
  });

  it('refuses an expression that is too long to be meant', async () => {
    const { execution } = await called(calculate, { expression: '('.repeat(100_000) });
    expect(execution).toMatchObject({ hasFailed: true, error: { name: 'ToolArgumentsError' } });
  });
});
