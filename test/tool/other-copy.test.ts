import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ToolExecutionError } from '../../src/tool/tool-errors.ts';
import { play } from '../service/support.ts';

/** Loads the modules once more: their classes are other ones than those imported above. */
async function otherCopy() {
  vi.resetModules();
  const { tool } = await import('../../src/tool/tool.ts');
  const { toolErrorVisibleToLlm } = await import('../../src/tool/visible-to-llm.ts');
  const errors = await import('../../src/tool/tool-errors.ts');
  // Else the tests would prove nothing.
  expect(errors.ToolExecutionError).not.toBe(ToolExecutionError);
  return { tool, toolErrorVisibleToLlm };
}

describe('a tool made by another copy of the package, as CommonJS beside ESM is', () => {
  it('has its visible errors told to the model', async () => {
    const other = await otherCopy();
    const a = other.tool({
      name: 'a',
      execute: () => {
        throw other.toolErrorVisibleToLlm('seen');
      },
    });
    const { values, marbles } = play({ rounds: ['A|', 'z|'], tools: [a] });
    expect(marbles).toBe('(A<a>a)(%z)($|)');
    expect(values.find((event) => event.type === 'afterToolExecution')?.execution.result).toBe('seen');
  });

  it('has arguments that do not fit told to the model, and those that do on the record', async () => {
    const other = await otherCopy();
    const a = other.tool({ name: 'a', parameters: z.object({ n: z.number() }), execute: ({ n }) => n });
    const calls = { A: { arguments: '{"n":"x"}' }, B: { name: 'a', arguments: '{"n":1}' } };
    const { values } = play({ rounds: ['A|', 'B|', 'z|'], script: { calls }, tools: [a] });
    const executions = values.flatMap((event) => (event.type === 'afterToolExecution' ? [event.execution] : []));
    expect(executions.map(({ hasFailed }) => hasFailed)).toEqual([true, false]);
    expect(executions[1]!.arguments).toEqual({ n: 1 });
  });
});
