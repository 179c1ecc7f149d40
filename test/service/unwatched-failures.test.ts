import { take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { aiService } from '../../src/service/ai-service.ts';
import type { AiServiceOptions, InvocationOptions } from '../../src/service/options.ts';
import type { Invocation } from '../../src/service/start-invocation.ts';
import { runMarbles, type MarbleKit } from '../../src/testing/run-marbles.ts';
import type { ScriptedRound } from '../../src/testing/scripted-answer.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { tool } from '../../src/tool/tool.ts';
import { unhandled } from '../chat/unhandled.ts';
import { ended } from './started.ts';
import { keptLogs } from './support.ts';

const lost = new Error('lost');
const breaking: ScriptedRound = { marbles: '-t-#', error: lost };
const ids = () => 'i1';

/** What is logged of an invocation that is started at frame 0. */
function logsOf(
  watch: (invocation: Invocation<string>, kit: MarbleKit) => void,
  {
    rounds = [breaking],
    call,
    ...options
  }: Partial<AiServiceOptions> & { rounds?: (string | ScriptedRound)[]; call?: InvocationOptions } = {},
) {
  const logger = keptLogs();
  runMarbles((kit) => {
    watch(aiService({ model: scriptedModel(rounds), logger, idGenerator: ids, ...options }).start('hello', call), kit);
  });
  return logger.logs;
}

const told = [['error', 'Invocation i1 failed, and nobody watched it.', lost]];
const ignored = { error: () => undefined };

describe('an invocation of start() that fails', () => {
  it('is logged once where nobody watches', () => {
    expect(logsOf(() => undefined)).toEqual(told);
  });

  it('is logged with the name of the tool that failed', () => {
    const a = tool({
      name: 'a',
      execute: () => {
        throw lost;
      },
    });
    expect(logsOf(() => undefined, { rounds: ['A|'], tools: [a] })).toEqual([
      ['error', 'Invocation i1 failed in tool a, and nobody watched it.', lost],
    ]);
  });

  it('is logged where those who watched have left', () => {
    expect(logsOf(({ text$ }, { record }) => record(text$.pipe(take(1))).toBe('-(t|)'))).toEqual(told);
  });

  it.each<[view: string, watch: (invocation: Invocation<string>, kit: MarbleKit) => void]>([
    ['events$', ({ events$ }) => events$.subscribe(ignored)],
    ['text$', ({ text$ }) => text$.subscribe(ignored)],
    ['result$', ({ result$ }) => result$.subscribe(ignored)],
    ['text$, from the middle on', ({ text$ }, { record }) => record(text$, String, '--^')],
  ])('is not logged for one who watches %s', (_, watch) => {
    expect(logsOf(watch)).toEqual([]);
  });

  it('is not logged where somebody subscribes behind start(), though it has failed at once', () => {
    expect(logsOf(({ result$ }) => result$.subscribe(ignored), { rounds: [{ marbles: '#', error: lost }] })).toEqual([]);
  });

  it('is not logged where listeners are told', () => {
    const types: string[] = [];
    expect(logsOf(() => undefined, { listeners: [({ type }) => types.push(type)] })).toEqual([]);
    expect(types).toContain('error');
  });

  it('is not logged when it was cancelled', () => {
    expect(logsOf(({ cancel }, { at }) => at(2, () => cancel()))).toEqual([]);
    expect(logsOf(() => undefined, { call: { signal: AbortSignal.abort() } })).toEqual([]);
  });

  it('is logged once more when it was resumed and fails again', () => {
    const resumed = logsOf(({ resume }, { at }) => at(10, () => resume()), { rounds: [breaking, breaking] });
    expect(resumed).toEqual([...told, ...told]);
  });

  it('leaves no unhandled rejection, watched by nobody or awaited', async () => {
    const watch = unhandled();
    const logs = await new Promise((tell) => {
      const logger = { ...keptLogs(), error: (...what: unknown[]) => tell(['error', ...what]) };
      const start = () =>
        aiService({ model: scriptedModel([{ marbles: '#', error: lost }]), logger, idGenerator: ids }).start('hello');
      // Watched in time: the log comes after it, and is that of the other.
      void expect(ended(start().result$)).rejects.toBe(lost).then(start);
    });
    watch.stop();
    expect(watch.reasons).toEqual([]);
    expect([logs]).toEqual(told);
  });

  it('is not disturbed by a logger that throws', () => {
    const logger = {
      ...keptLogs(),
      error: () => {
        throw new Error('full');
      },
    };
    expect(() => logsOf(() => undefined, { logger })).not.toThrow();
  });
});
