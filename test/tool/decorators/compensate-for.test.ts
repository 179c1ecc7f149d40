import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../src/chat/configuration-error.ts';
import { declaredTools } from '../../../src/tool/decorated-tools.ts';
import { toolsOf } from '../../../src/tool/tools-of.ts';
import { executed, failureOf } from '../call.ts';
import { compiled, kindNames } from './compiled.ts';
import type * as banks from './fixtures/bank.ts';
import type * as rejects from './fixtures/rejected.ts';
import { undo } from './undo.ts';

describe.each(kindNames)('a method under @CompensateFor, with %s decorators,', (kind) => {
  const { Bank, Shop } = compiled<typeof banks>('bank', kind);
  const { UnknownTool, TwoUndo, BothKinds, NoUndoMethod } = compiled<typeof rejects>('rejected', kind);

  it('[S98] undoes what the tool has done on the same object', () => {
    const bank = new Bank();
    const [credit, debit] = toolsOf(bank);
    executed(credit!, { account: 'a', amount: 5 });
    expect(failureOf(debit!, { account: 'b', amount: 5 }).message).toBe('There is too little money in b.');
    undo(credit!, { account: 'a', amount: 5 }, 5);
    expect([bank.balanceOf('a'), bank.balanceOf('b')]).toEqual([0, 0]);
    expect(debit!.compensate).toBeUndefined();
  });

  it('[S100] is given the arguments, the execution and the context of the undo', () => {
    const bank = new Bank();
    const { execution, context } = undo(toolsOf(bank)[0]!, { account: 'a', amount: 5 }, 5);
    expect(bank.undone).toEqual([[{ account: 'a', amount: 5 }, execution, context]]);
  });

  it('is no tool', () => {
    expect(toolsOf(new Bank()).map(({ specification }) => specification.name)).toEqual(['credit', 'debit']);
  });

  it('may undo more than one tool', () => {
    const shop = new Shop();
    for (const tool of toolsOf(shop)) undo(tool);
    expect(shop.undone).toEqual(['sell', 'rent']);
  });

  it.each([
    {
      where: 'names no tool of its object: not a name that the model sees',
      object: () => new UnknownTool(),
      problem: "the tools of UnknownTool: undo is @CompensateFor('credit'), but no tool of it has this name; there are pay_in.",
      names: ['pay_in'],
    },
    {
      where: 'is not the only one for its tool',
      object: () => new TwoUndo(),
      problem: "the tools of TwoUndo: undo and takeBack are both @CompensateFor('credit'); keep one.",
      names: ['credit'],
    },
    {
      where: 'is a tool as well',
      object: () => new BothKinds(),
      problem:
        'the tools of BothKinds: debit is both @Tool and @CompensateFor, which are called differently; make it two methods.',
      names: ['credit', 'debit'],
    },
    {
      where: 'is overridden by a field',
      object: () => new NoUndoMethod(),
      problem: 'the tools of NoUndoMethod: undo is decorated, but what overrides it is no method.',
      names: ['credit'],
    },
  ])('[S105] is a configuration error where it $where, and left to those who do not compensate', ({ object, problem, names }) => {
    expect(() => toolsOf(object())).toThrow(new ConfigurationError(problem));
    const { tools, problems } = declaredTools(object());
    expect(problems).toEqual([problem]);
    expect(tools.map(({ specification }) => specification.name)).toEqual(names);
    for (const tool of tools) expect(executed(tool).isError).toBe(false);
  });
});
