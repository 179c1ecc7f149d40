import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import { aiService } from '../../src/service/ai-service.ts';
import type { AiServiceOptions } from '../../src/service/options.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import { compiled, kindNames } from '../tool/decorators/compiled.ts';
import type * as banks from '../tool/decorators/fixtures/bank.ts';
import type * as families from '../tool/decorators/fixtures/family.ts';
import type * as rejects from '../tool/decorators/fixtures/rejected.ts';
import { keptLogs, play } from './support.ts';
import { transfer } from './transfer.ts';
import { playUndoing, toldUndone } from './undo-log.ts';

const toLlm = toolExecutionErrorHandler.sendExceptionMessageToLlm();

describe.each(kindNames)('decorated tools, with %s decorators,', (kind) => {
  const { Bank, Branch } = compiled<typeof banks>('bank', kind);
  const { UnknownTool, TwoUndo, BothKinds, NoUndoMethod } = compiled<typeof rejects>('rejected', kind);
  const { Mute } = compiled<typeof families>('family', kind);

  it('[S98] are undone by the method that says so', () => {
    const object = new Bank();
    const played = playUndoing({ ...transfer, tools: [object] });
    expect(object.balanceOf('alice')).toBe(0);
    expect(played.history.slice(2, 4)).toEqual([
      'C! credit had succeeded, but it was rolled back because debit failed.',
      'D! There is too little money in bob.',
    ]);
    expect(toldUndone(played.values)).toEqual(['credit: toolError']);
  });

  it('[S99] are left alone by default', () => {
    const object = new Bank();
    play({ ...transfer, tools: [object], toolExecutionErrorHandler: toLlm });
    expect(object.balanceOf('alice')).toBe(5);
    expect(object.undone).toEqual([]);
  });

  it('[S100] give the method that undoes the arguments, and the request and the result of that call', () => {
    const object = new Bank();
    playUndoing({ ...transfer, tools: [object] });
    const [args, execution, context] = object.undone[0] as readonly unknown[];
    expect(args).toEqual({ account: 'alice', amount: 5 });
    expect(execution).toMatchObject({
      request: { id: 'C', name: 'credit', arguments: '{"account":"alice","amount":5}' },
      arguments: args,
      result: '5',
      resultObject: 5,
      hasFailed: false,
      compensated: 'toolError',
    });
    expect(context).toMatchObject({ request: { id: 'C' }, invocation: { userMessage: { role: 'user' } } });
  });

  it('[S106] are undone by a method that they inherit', () => {
    const object = new Branch();
    playUndoing({ ...transfer, tools: [object] });
    expect(object.balanceOf('alice')).toBe(0);
    expect(object.undone).toHaveLength(1);
  });

  it('[S106] are undone by a method that overrides one that they inherit', () => {
    const object = new Mute();
    const broken = scriptedTool('b', '#');
    playUndoing({ rounds: ['(SB)|', '-z|'], script: { calls: { S: { name: 'sing' } } }, tools: [object, broken] });
    expect(object.done).toEqual(['ignored the song']);
  });

  it.each([
    { where: 'undoes a tool that there is not', object: () => new UnknownTool(), names: "@CompensateFor('credit')" },
    { where: 'undoes what another one undoes', object: () => new TwoUndo(), names: 'undo and takeBack' },
    { where: 'is a tool itself', object: () => new BothKinds(), names: 'debit' },
    { where: 'is none any more', object: () => new NoUndoMethod(), names: 'undo' },
  ])('[S105] are a configuration error if a method $where, but only to a service that undoes', ({ object, names }) => {
    const model = scriptedModel([]);
    const make = (options: Partial<AiServiceOptions>) => aiService({ model, tools: [object()], logger: keptLogs(), ...options });
    expect(() => make({ compensateOnToolErrors: true })).toThrow(ConfigurationError);
    expect(() => make({ compensateOnToolErrors: true })).toThrow(names);
    for (const off of [{}, { compensateOnToolErrors: false }]) expect(() => make(off)).not.toThrow();
  });
});
