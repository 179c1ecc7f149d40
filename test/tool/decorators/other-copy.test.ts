import { describe, expect, it, vi } from 'vitest';
import { declarerOf } from '../../../src/tool/decorated-marks.ts';
import { declaredTools } from '../../../src/tool/decorated-tools.ts';
import { Tool } from '../../../src/tool/tool-decorator.ts';
import { toolsOf } from '../../../src/tool/tools-of.ts';
import { compiled, kindNames } from './compiled.ts';
import type * as banks from './fixtures/bank.ts';
import type * as family from './fixtures/family.ts';
import { undo } from './undo.ts';

const isDecorated = (value: unknown): boolean => declarerOf(value) !== undefined;

/** Loads the modules once more: their functions are other ones than those imported above. */
async function otherCopy() {
  vi.resetModules();
  const decorators = {
    ...(await import('../../../src/tool/tool-decorator.ts')),
    ...(await import('../../../src/tool/compensate-for.ts')),
  };
  // Else the tests would prove nothing.
  expect(decorators.Tool).not.toBe(Tool);
  return decorators;
}

describe.each(kindNames)('%s decorators of another copy of the package, as CommonJS beside ESM is', (kind) => {
  it('are understood by this one', async () => {
    const { Bank } = compiled<typeof banks>('bank', kind, await otherCopy());
    const bank = new Bank();
    expect(isDecorated(bank)).toBe(true);
    expect(declaredTools(bank)).toMatchObject({ tools: [{ compensate: expect.any(Function) as unknown }, {}], problems: [] });
    undo(toolsOf(bank)[0]!, { account: 'a', amount: 5 });
    expect(bank.balanceOf('a')).toBe(-5);
  });

  it('may stand on the methods of a child or a parent', async () => {
    const other = await otherCopy();
    const here = compiled<typeof family>('family', kind);
    const there = compiled<typeof family>('family', kind, other);
    const names = (object: object) => toolsOf(object).map(({ specification }) => specification.name);
    expect(names(new (here.childOf(there.Parent))())).toEqual(['greet', 'wave', 'sing', 'play']);
    expect(names(new (there.childOf(here.Parent))())).toEqual(['greet', 'wave', 'sing', 'play']);
  });
});
