import { NEVER, asyncScheduler, lastValueFrom, map, of, throwError, timer, toArray } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ChatModel } from '../../src/chat/chat-model.ts';
import { aiService, type AiService } from '../../src/service/ai-service.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import { tool } from '../../src/tool/tool.ts';
import { ToolTimeoutError } from '../../src/tool/tool-errors.ts';
import { ChatMemoryBusyError } from '../../src/memory/in-turn.ts';
import { watch } from '../chat/watch.ts';
import { keptLogs, roomyMemory } from './support.ts';
import { playUndoing, rolledBack, stillStands, toldUndone, undoLog, undosIn, type UndoableOptions } from './undo-log.ts';

/** Two calls that succeed and one that fails, so that first b and then a is undone. */
const failing = (undoOfA: UndoableOptions['undo'] = '|', undoOfB: UndoableOptions['undo'] = '|') => {
  const log = undoLog();
  const tools = [log.undoable('a', 'r|', { undo: undoOfA }), log.undoable('b', 'r|', { undo: undoOfB }), scriptedTool('c', '-#')];
  return { log, script: { rounds: ['(ABC)|', '-z|'], tools } };
};

/** The same without virtual time, for promises. */
const asked = (undoOfA: UndoableOptions['undo'], undoOfB: UndoableOptions['undo'] = '|') => {
  const log = undoLog();
  const service = aiService({
    model: scriptedModel(['(ABC|)', '(z|)']),
    tools: [log.undoable('a', '(r|)', { undo: undoOfA }), log.undoable('b', '(r|)', { undo: undoOfB }), scriptedTool('c', '#')],
    chatMemory: roomyMemory(),
    compensateOnToolErrors: true,
    toolExecutionErrorHandler: toolExecutionErrorHandler.sendExceptionMessageToLlm(),
    logger: keptLogs(),
  });
  return { log, service };
};

describe('an undo', () => {
  it('that returns an Observable is over when that completes, and the next one waits for it', () => {
    const { log, script } = failing('-v-v-|', '---|');
    const played = playUndoing(script);
    expect(log.spans()).toEqual(['b -^--!', 'a ----^----!']);
    expect(played.marbles).toBe('(A<a*aB<b*bC<c)(>a>b>c%)--^b----^az($|)');
  });

  it('that returns an Observable of another library is waited for', () => {
    const { log, script } = failing('|', () => ({
      subscribe: (observer: { complete(): void }) => asyncScheduler.schedule(() => observer.complete(), 2),
    }));
    playUndoing(script);
    expect(log.spans()).toEqual(['b -^-!', 'a ---(^!)']);
  });

  it.each([[undefined], [null], [0], ['done'], [{ then: 1 }]])('that returns %j is over at once', (value) => {
    const { script } = failing(() => value, '|');
    expect(playUndoing(script).marbles).toBe('(A<a*aB<b*bC<c)(>a>b>c%^b^a)z($|)');
  });

  it('that returns a promise is over when that is fulfilled, and the next one waits for it', async () => {
    let fulfil: () => void = () => undefined;
    const { log, service } = asked('|', () => new Promise<void>((resolve) => (fulfil = resolve)));
    const events = lastValueFrom(service.stream('hello').pipe(toArray()), { defaultValue: [] });
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    expect(log.names()).toEqual(['b']);
    fulfil();
    expect(toldUndone(await events)).toEqual(['b: toolError', 'a: toolError']);
    expect(log.names()).toEqual(['b', 'a']);
  });

  it('[S107] whose promise is rejected does not stop the others', async () => {
    const { log, service } = asked('|', () => Promise.reject(new Error('b stays done')));
    const events = await lastValueFrom(service.stream('hello').pipe(toArray()), { defaultValue: [] });
    expect(toldUndone(events)).toEqual(['b: toolError (b stays done)', 'a: toolError']);
    expect(log.names()).toEqual(['b', 'a']);
  });

  it('gets a signal of its own, which is quiet although the invocation is over', () => {
    const { log, script } = failing('---|', '---|');
    playUndoing({ ...script, subscription: '^-!' });
    expect(log.names()).toEqual(['b', 'a']);
    const signals = log.undos.map(({ context }) => context.signal);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    expect(new Set([...signals, ...script.tools.flatMap(({ contexts }) => contexts.map(({ signal }) => signal))]).size).toBe(5);
  });

  it('may tell progress, which nobody hears', () => {
    const { script } = failing((_, context) => context.progress('half'));
    expect(playUndoing(script).marbles).toBe('(A<a*aB<b*bC<c)(>a>b>c%^b^a)z($|)');
  });

  it('that asks its own service on the same memory fails instead of waiting for itself', () => {
    const log = undoLog();
    const inner: { service?: AiService } = {};
    const service = aiService({
      model: scriptedModel(['(AB|)', '(z|)']),
      tools: [log.undoable('a', '(r|)', { undo: () => inner.service!.result('take it back') }), scriptedTool('b', '#')],
      chatMemory: roomyMemory(),
      compensateOnToolErrors: true,
      toolExecutionErrorHandler: toolExecutionErrorHandler.sendExceptionMessageToLlm(),
      logger: keptLogs(),
    });
    inner.service = service;
    const { values, end } = watch(service.stream('hello'));
    expect(end).toBe('complete');
    const [event] = undosIn(values);
    expect(event!.error).toBeInstanceOf(ChatMemoryBusyError);
  });
});

describe('two thousand undos', () => {
  it.each([0, 1999, 1000])('are all done, whichever of them takes its time: number %i', (slow) => {
    let undone = 0;
    const a = tool({ name: 'a', execute: () => 'r', compensate: () => (undone++ === slow ? timer(5) : undefined) });
    const toolExecutionRequests = Array.from({ length: 2000 }, (_, id) => ({ id: `${id}`, name: 'a', arguments: '{}' }));
    const response = { aiMessage: { role: 'assistant', text: null, toolExecutionRequests } } as const;
    let requests = 0;
    const model: ChatModel = {
      provider: 'x',
      chat: () => (requests++ === 0 ? of({ type: 'completeResponse', response }) : throwError(() => new Error('gone'))),
    };
    runMarbles(({ record }) => {
      const service = aiService({ model, tools: [a], compensateOnToolErrors: true });
      record(service.result('hello')).toBe('-----#');
    });
    expect(undone).toBe(2000);
  });
});

describe('an undo that hangs', () => {
  it('has as long as a tool has, is then stopped, and counts as failed', () => {
    const aborted: unknown[] = [];
    const { log, script } = failing('|', (_, { signal }) => {
      signal.addEventListener('abort', () => aborted.push(asyncScheduler.now(), signal.reason));
      return NEVER;
    });
    const played = playUndoing({ ...script, toolTimeout: 5 });
    expect(log.spans()).toEqual(['b -^----!', 'a ------(^!)']);
    expect(aborted).toEqual([6, expect.any(ToolTimeoutError)]);
    expect(toldUndone(played.fired)).toEqual(['b: toolError (Undoing b took longer than 5 ms.)', 'a: toolError']);
    expect(played.history.slice(2, 4)).toEqual([rolledBack('A', 'c failed'), stillStands('B', 'c failed')]);
    expect(played.marbles).toBe('(A<a*aB<b*bC<c)(>a>b>c%)----(^b^a)z($|)');
  });

  it('has a minute where the tools have no limit', () => {
    const { log, script } = failing('|', () => NEVER);
    const played = playUndoing(script);
    expect(log.undos.map(({ spans }) => spans)).toEqual([[{ from: 1, to: 60_001 }], [{ from: 60_001, to: 60_001 }]]);
    expect(toldUndone(played.fired)[0]).toBe('b: toolError (Undoing b took longer than 60000 ms.)');
  });

  it('that ends in the very last moment has ended', () => {
    const { log, script } = failing('|', '----|');
    expect(toldUndone(playUndoing({ ...script, toolTimeout: 5 }).fired)).toEqual(['b: toolError', 'a: toolError']);
    expect(log.spans()).toEqual(['b -^---!', 'a -----(^!)']);
  });

  it('leaves no timer behind once it has ended', () => {
    const { script } = failing('--|', '--|');
    const scheduled: { closed: boolean }[] = [];
    const schedule: typeof asyncScheduler.schedule = (work, delay, state) => {
      const action = asyncScheduler.schedule(work, delay, state);
      scheduled.push(action);
      return action;
    };
    playUndoing({ ...script, scheduler: { now: () => asyncScheduler.now(), schedule } });
    expect(scheduled.length).toBeGreaterThanOrEqual(2);
    expect(scheduled.filter(({ closed }) => !closed)).toEqual([]);
  });
});

describe('a call whose tool has worked, which something around it has failed', () => {
  const later = () => {
    throw new Error('too late');
  };

  it.each([
    ['rolled back', '|', rolledBack('A', 'a failed')],
    ['not rolled back', '#', stillStands('A', 'a failed')],
  ])('is told as %s, also where the hook behind it fails', (_, undo, told) => {
    const log = undoLog();
    const { history } = playUndoing({
      rounds: ['A|'],
      tools: [log.undoable('a', 'r|', { undo })],
      interceptors: { tool: [(_request, _context, next) => next().pipe(map(later))] },
      afterToolExecution: later,
    });
    expect(log.names()).toEqual(['a']);
    expect(history.at(-1)).toBe(told);
  });
});

describe('a time limit for tools that no timer can measure', () => {
  afterEach(() => vi.useRealTimers());

  it.each([Infinity, 2 ** 31])('of %d ms does not stop an undo at once', (toolTimeout) => {
    vi.useFakeTimers();
    const log = undoLog();
    const service = aiService({
      model: scriptedModel(['(AB|)', '(z|)']),
      tools: [log.undoable('a', '(r|)', { undo: '----------|' }), scriptedTool('b', '#')],
      compensateOnToolErrors: true,
      toolTimeout,
      toolExecutionErrorHandler: toolExecutionErrorHandler.sendExceptionMessageToLlm(),
      logger: keptLogs(),
    });
    const { values } = watch(service.stream('hello'));
    vi.advanceTimersByTime(11);
    expect(toldUndone(values)).toEqual(['a: toolError']);
    vi.runAllTimers();
    expect(vi.getTimerCount()).toBe(0);
  });
});
