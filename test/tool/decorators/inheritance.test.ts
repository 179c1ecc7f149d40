import { describe, expect, it, vi } from 'vitest';
import { toolsOf } from '../../../src/tool/tools-of.ts';
import type { Tool } from '../../../src/tool/types.ts';
import { executed, textIn } from '../call.ts';
import { compiled, kindNames } from './compiled.ts';
import type * as banks from './fixtures/bank.ts';
import type * as family from './fixtures/family.ts';
import { undo } from './undo.ts';

const told = (tools: readonly Tool[]) => tools.map(({ specification: { name, description } }) => [name, description]);

// A class may come from a package that was compiled for other decorators than its own project.
const pairs = kindNames.flatMap((parent) => kindNames.map((child) => ({ parent, child })));

describe.each(pairs)('a class with $child decorators whose parent has $parent ones', ({ parent, child }) => {
  const { Parent } = compiled<typeof family>('family', parent);
  const Child = compiled<typeof family>('family', child).childOf(Parent);

  it('[S163] has the tools of its parent, in their places, and its own', () => {
    expect(told(toolsOf(new Parent()))).toEqual([
      ['greet', 'The parent greets'],
      ['say_goodbye', 'The parent takes leave'],
      ['sing', 'The parent sings'],
    ]);
    expect(told(toolsOf(new Child()))).toEqual([
      ['greet', 'The parent greets'],
      ['wave', 'The child takes leave'],
      ['sing', 'The parent sings'],
      ['play', 'The child plays'],
    ]);
  });

  it('[S163] has its own methods called in place of those that they override, decorated or not', () => {
    expect(toolsOf(new Child()).map((tool) => textIn(executed(tool)))).toEqual(['hello hello', 'goodbye for now', 'la', 'plays']);
    expect(toolsOf(new Parent()).map((tool) => textIn(executed(tool)))).toEqual(['hello', 'goodbye', 'la']);
  });

  it('[S106] has what its parent undoes undone, and what it undoes itself', () => {
    const object = new Child();
    const [greet, wave, , play] = toolsOf(object);
    undo(greet!);
    undo(play!);
    expect(object.done).toEqual(['ignored', 'tidied up']);
    expect(wave!.compensate).toBeUndefined();
  });
});

describe.each(kindNames)('with %s decorators', (kind) => {
  const { Mute } = compiled<typeof family>('family', kind);
  const { Branch, CarefulBank } = compiled<typeof banks>('bank', kind);

  it('[S163] an overriding method is what its own decorators say, and nothing else', () => {
    const object = new Mute();
    const tools = toolsOf(object);
    expect(told(tools).map(([name]) => name)).toEqual(['say_goodbye', 'sing']);
    undo(tools[1]!);
    expect(object.done).toEqual(['ignored the song']);
    const greet = vi.spyOn(object, 'greet');
    undo(tools[0]!);
    expect(greet).toHaveBeenCalledOnce();
  });

  it('[S106] an inherited method undoes', () => {
    const branch = new Branch();
    const [credit] = toolsOf(branch);
    executed(credit!, { account: 'a', amount: 5 });
    expect(branch.balanceOf('a')).toBe(5);
    undo(credit!, { account: 'a', amount: 5 });
    expect(branch.balanceOf('a')).toBe(0);
  });

  it('[S106] a method that overrides one that undoes is called in its place', () => {
    const bank = new CarefulBank();
    undo(toolsOf(bank)[0]!, { account: 'a', amount: 5 });
    expect(bank.undone).toEqual(['with care']);
  });
});
