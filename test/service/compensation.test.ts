import { of, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ofEvent } from '../../src/event/of-event.ts';
import { ToolCompensatedEvent } from '../../src/event/tool-compensated-event.ts';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import { aiService, type AiService } from '../../src/service/ai-service.ts';
import type { AiServiceOptions } from '../../src/service/options.ts';
import { resultOf } from '../../src/service/epilogue.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { executorTool } from '../../src/tool/executor-tool.ts';
import { toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import { tool } from '../../src/tool/tool.ts';
import { watch } from '../chat/watch.ts';
import { expectValid, kept, keptLogs, outline, play } from './support.ts';
import { transfer } from './transfer.ts';
import { playUndoing, rolledBack, undoLog } from './undo-log.ts';

const toLlm = toolExecutionErrorHandler.sendExceptionMessageToLlm();

/** Accounts, and the tools that move money between them. */
function bank() {
  const balances = new Map([['alice', 0]]);
  const balanceOf = (account: string) => balances.get(account) ?? 0;
  const parameters = z.object({ account: z.string(), amount: z.number() });
  const credit = tool({
    name: 'credit',
    parameters,
    execute: ({ account, amount }) => {
      balances.set(account, balanceOf(account) + amount);
      return `receipt for ${amount}`;
    },
    compensate: ({ arguments: args }) => balances.set(args!.account, balanceOf(args!.account) - args!.amount),
  });
  const debit = tool({
    name: 'debit',
    parameters,
    execute: ({ account, amount }): number => {
      if (amount > balanceOf(account)) throw new Error(`There is too little money in ${account}.`);
      return balanceOf(account) - amount;
    },
  });
  return { balanceOf, tools: [credit, debit] };
}

describe('a bank transfer whose second half fails', () => {
  it('[S98] [S24] [S71] has its first half undone, the model is told, and the invocation goes on to its answer', () => {
    const { balanceOf, tools } = bank();
    const played = playUndoing({ ...transfer, tools });
    expect(balanceOf('alice')).toBe(0);
    expect(played.marbles).toBe('(C<c>cD<d>d)(%^c)z($|)');
    expect(played.history).toEqual([
      'user: hello',
      'assistant: [C D]',
      'C! credit had succeeded, but it was rolled back because debit failed.',
      'D! There is too little money in bob.',
      'assistant: z',
    ]);
    expect(outline(played.model.requests[1]!.messages)).toEqual(played.history.slice(0, -1));
    expectValid(kept(played.memory));
  });

  it('[S24] tells of it with the result that the tool had, and the reason', () => {
    const { tools } = bank();
    const played = playUndoing({ ...transfer, tools });
    const told = played.values.find(({ type }) => type === 'toolCompensated')!;
    const fired = played.fired.find((event) => event instanceof ToolCompensatedEvent)!;
    for (const event of [told, fired]) {
      expect(event).toMatchObject({
        type: 'toolCompensated',
        reason: 'toolError',
        execution: { result: 'receipt for 5', hasFailed: false, compensated: 'toolError', request: { id: 'C' } },
      });
    }
    expect('error' in told).toBe(false);
    expect(fired.error).toBeUndefined();
    expect(told.round).toBe(1);
    expect(told.invocation).toBe(fired.invocation);
    expect(resultOf(played.values.at(-1)!).toolExecutions).toMatchObject([
      { request: { id: 'C' }, result: 'receipt for 5', compensated: 'toolError' },
      { request: { id: 'D' }, hasFailed: true },
    ]);
    expect(played.firedTypes).toEqual([
      'started',
      'requestIssued',
      'responseReceived',
      'toolExecuted',
      'toolExecuted',
      'toolCompensated',
      'requestIssued',
      'responseReceived',
      'completed',
    ]);
  });

  it('[S99] keeps its first half by default, and where that is said', () => {
    for (const off of [{}, { compensateOnToolErrors: false }]) {
      const { balanceOf, tools } = bank();
      const played = play({ ...transfer, ...off, tools, toolExecutionErrorHandler: toLlm });
      expect(balanceOf('alice')).toBe(5);
      expect(played.marbles).toBe('(C<c>cD<d>d)%z($|)');
      expect(played.history.slice(2, 4)).toEqual(['C: receipt for 5', 'D! There is too little money in bob.']);
      expect(played.firedTypes).not.toContain('toolCompensated');
    }
  });

  it('[S98] has its first half undone without a chat memory too', () => {
    const { balanceOf, tools } = bank();
    const played = playUndoing({ ...transfer, tools, chatMemory: undefined });
    expect(balanceOf('alice')).toBe(0);
    expect(outline(played.model.requests[1]!.messages).slice(2)).toEqual([
      'C! credit had succeeded, but it was rolled back because debit failed.',
      'D! There is too little money in bob.',
    ]);
  });

  it('keeps both halves when both succeed', () => {
    const { balanceOf, tools } = bank();
    const calls = { ...transfer.script.calls, D: { name: 'debit', arguments: '{"account":"alice","amount":5}' } };
    const played = playUndoing({ ...transfer, script: { calls }, tools });
    expect(balanceOf('alice')).toBe(5);
    expect(played.marbles).toBe('(C<c>cD<d>d)%z($|)');
  });
});

describe('a compensate without the option', () => {
  const logged = (options: Partial<AiServiceOptions>) => {
    const logger = keptLogs();
    const { undoable } = undoLog();
    const tools = [undoable('a', 'r|'), undoable('b', 'r|')];
    const service = aiService({ model: scriptedModel(['A|', '-z|', 'A|', '-z|']), tools, logger, ...options });
    return { service, logs: logger.logs };
  };
  const ask = (service: AiService) => watch(service.result('hello'));

  it('[S99] is warned of once in the life of a service, and the warning says what to set', () => {
    const { service, logs } = logged({});
    ask(service);
    ask(service);
    expect(logs).toEqual([['warn', expect.stringMatching(/tool a has a compensate.*compensateOnToolErrors: true/)]]);
  });

  it.each([true, false])('is not warned of when compensateOnToolErrors is %s: somebody has thought of it', (is) => {
    expect(logged({ compensateOnToolErrors: is }).logs).toEqual([]);
  });

  it('must be a function', () => {
    const make = (compensate: unknown) => () => tool({ name: 'a', execute: () => 1, compensate: compensate as () => void });
    expect(make('undo')).toThrow(new ConfigurationError('tool a: compensate is "undo"; it must be a function.'));
    expect(make(undefined)).not.toThrow();
  });
});

describe('the undoing', () => {
  it('[S100] is given the execution, with request and result, and a context of its own', () => {
    const log = undoLog();
    const played = playUndoing({
      rounds: ['(AB)|', '-z|'],
      script: { calls: { A: { arguments: '{"amount":5}' } } },
      tools: [log.undoable('a', '--r|', { values: { r: { receipt: 7 } } }), scriptedTool('b', '---#')],
      call: { parameters: { user: 'alice' } },
    });
    const [{ execution, context }] = log.undos as [(typeof log.undos)[0]];
    expect(execution).toMatchObject({
      request: { id: 'A', name: 'a', arguments: '{"amount":5}' },
      result: '{"receipt":7}',
      resultObject: { receipt: 7 },
      hasFailed: false,
      startTime: 0,
      finishTime: 3,
      duration: 3,
    });
    expect(context.request).toBe(execution.request);
    expect(context.invocation).toBe(played.values[0]!.invocation);
    expect(context.parameters.get('user')).toBe('alice');
    expect('memoryId' in context).toBe(false);
  });

  it('[S100] has the arguments as the tool got them: checked, with defaults, and decoded', () => {
    const seen: unknown[] = [];
    const book = tool({
      name: 'a',
      parameters: z.object({ seats: z.number().default(2), on: z.string().transform((text) => new Date(text)) }),
      execute: ({ seats }) => ({ seats }),
      compensate: ({ arguments: args, resultObject }) => void seen.push(args, resultObject),
    });
    const calls = { A: { arguments: '{"on":"2026-11-30"}' } };
    playUndoing({ rounds: ['(AB)|', '-z|'], script: { calls }, tools: [book, scriptedTool('b', '#')] });
    expect(seen).toEqual([{ seats: 2, on: new Date('2026-11-30') }, { seats: 2 }]);
  });

  it('is also had by a tool whose arguments stay text', () => {
    const undone: unknown[] = [];
    const echo = executorTool(
      { name: 'a', parameters: { type: 'object' } },
      (request) => ({ contents: [{ type: 'text', text: request.arguments }], isError: false }),
      { compensate: ({ request, result, resultContents }) => void undone.push(request.arguments, result, resultContents) },
    );
    const played = playUndoing({
      rounds: ['(AB)|', '-z|'],
      script: { calls: { A: { arguments: 'no JSON' } } },
      tools: [echo, scriptedTool('b', '#')],
    });
    expect(undone).toEqual(['no JSON', 'no JSON', [{ type: 'text', text: 'no JSON' }]]);
    expect(played.history[2]).toBe(rolledBack('A', 'b failed'));
  });

  it('is also had by a tool that was piped', () => {
    const undone: string[] = [];
    const made = tool({ name: 'a', execute: () => 1, compensate: ({ result }) => undone.push(result) }).pipe((source) => source);
    playUndoing({ rounds: ['(AB)|', '-z|'], tools: [made, scriptedTool('b', '#')] });
    expect(undone).toEqual(['1']);
  });

  it.each(['static', 'dynamic'] as const)('is also had by the tools of a %s provider', (kind) => {
    const log = undoLog();
    const toolProviders = [{ isDynamic: kind === 'dynamic', provideTools: () => of([log.undoable('a', 'r|')]) }];
    const played = playUndoing({ rounds: ['A|', 'B|', '-z|'], toolProviders, tools: [scriptedTool('b', '#')] });
    expect(log.names()).toEqual(['a']);
    expect(played.history).toContain(rolledBack('A', 'b failed'));
  });

  it('is also had by a tool that its provider no longer offers', () => {
    const log = undoLog();
    let asked = 0;
    const toolProviders = [{ isDynamic: true, provideTools: () => (asked++ === 0 ? [log.undoable('a', 'r|')] : []) }];
    playUndoing({ rounds: ['A|', 'B|', '-z|'], toolProviders, tools: [scriptedTool('b', '#')] });
    expect(log.names()).toEqual(['a']);
  });

  it('is done in every way to ask a service', () => {
    const undoneBy = (ask: (service: AiService) => unknown) => {
      const log = undoLog();
      const model = scriptedModel(['(AB|)', '(z|)']);
      const tools = [log.undoable('a', '(r|)'), scriptedTool('b', '#')];
      const service = aiService({ model, tools, compensateOnToolErrors: true, toolExecutionErrorHandler: toLlm });
      const told: unknown[] = [];
      watch(
        service.events$.pipe(
          ofEvent(ToolCompensatedEvent),
          tap(({ reason }) => told.push(reason)),
        ),
      );
      ask(service);
      expect(told).toEqual(['toolError']);
      return log.names();
    };
    expect(undoneBy((service) => watch(service.stream('hello')))).toEqual(['a']);
    expect(undoneBy((service) => watch(service.text('hello')))).toEqual(['a']);
    expect(undoneBy((service) => watch(service.result('hello')))).toEqual(['a']);
    expect(undoneBy((service) => service.start('hello'))).toEqual(['a']);
    expect(undoneBy((service) => service.tokenStream('hello').ignoreErrors().start())).toEqual(['a']);
  });

  it('is done where a service calls back: by default it tells the model of a failing tool, and goes on', () => {
    const log = undoLog();
    const played = play({
      rounds: ['(AB)|', '-z|'],
      tools: [log.undoable('a', '-r|', { undo: '--|' }), scriptedTool('b', '-#')],
      compensateOnToolErrors: true,
      legacy: true,
    });
    expect(log.spans()).toEqual(['a ---^-!']);
    expect(played.marbles).toBe('(A<aB)(*a%)(>a<b)>b-^az($|)');
    expect(played.history.slice(2, 4)).toEqual([rolledBack('A', 'b failed'), 'B! b failed']);
  });
});
