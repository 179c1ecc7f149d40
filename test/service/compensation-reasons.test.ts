import { EMPTY, concatMap, map, of, throwError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ChatModel, ChatModelEvent } from '../../src/chat/chat-model.ts';
import { guardrail } from '../../src/chat/guardrail-result.ts';
import type { ChatMessage } from '../../src/chat/message.ts';
import type { ChatMemory, ChatMemoryStore } from '../../src/memory/chat-memory.ts';
import { tokenWindowMemory } from '../../src/memory/token-window-memory.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { OutputGuardrailError } from '../../src/service/guardrail/guardrail-errors.ts';
import { LimitExceededError } from '../../src/service/service-errors.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import type { CompensationReason } from '../../src/tool/types.ts';
import { expectValid, kept, outline, play, roomyMemory, type Played, type Script } from './support.ts';
import { endsOf, rolledBack, stillStands, toldUndone, undoLog, type UndoLog } from './undo-log.ts';

/** Calls a, which can be undone; with a failing undo if so wished. */
const story = (script: Partial<Script>, more: (log: UndoLog) => Script['tools'] = () => [], undo = '|') => {
  const log = undoLog();
  const tools = [log.undoable('a', 'r|', { undo }), ...more(log)!];
  const played = play({ rounds: ['A|', '-z|'], tools, compensateOnToolErrors: true, ...script });
  return { log, played };
};

/** The one place where it is said what is told of a failed invocation whose tool a was undone. */
function expectUndone({ log, played }: { log: UndoLog; played: Played }, reason: CompensationReason, names = ['a']) {
  expect(log.names()).toEqual(names);
  expect(log.undos.map(({ execution }) => execution.compensated)).toEqual(names.map(() => reason));
  expect(toldUndone(played.values)).toEqual(names.map((name) => `${name}: ${reason}`));
  expect(toldUndone(played.fired)).toEqual(names.map((name) => `${name}: ${reason}`));
  expect(endsOf(played.firedTypes)).toEqual(['error']);
  expect(played.firedTypes.slice(-1 - names.length)).toEqual([...names.map(() => 'toolCompensated'), 'error']);
  expect(played.marbles.endsWith('#)') || played.marbles.endsWith('#')).toBe(true);
  expectValid(kept(played.memory));
}

describe('a failure of the model', () => {
  const fail = () => {
    throw new Error('not today');
  };
  const why = 'the model failed';

  it('in a later round undoes what was done, and the error comes when that is over', () => {
    const { log, played } = story({ rounds: ['A|', '-#'] }, undefined, '---|');
    expectUndone({ log, played }, 'modelError');
    expect(log.spans()).toEqual(['a --^--!']);
    expect(played.marbles).toBe('(A<a*a)(>a%)---(^a#)');
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', rolledBack('A', why)]);
  });

  it('in the same round undoes what its tools have done by then, and waits for those that run', () => {
    const { log, played } = story({ rounds: ['(AB)-#'] }, ({ undoable }) => [undoable('b', '------r|')]);
    expectUndone({ log, played }, 'modelError', ['b', 'a']);
    expect(log.spans()[0]).toBe('b -------(^!)');
    expect(played.history.slice(2)).toEqual([rolledBack('A', why), rolledBack('B', why)]);
  });

  it('undoes all rounds, the last one first', () => {
    const { log, played } = story({ rounds: ['A|', 'B|', '#'] }, ({ undoable }) => [undoable('b', 'r|')]);
    expectUndone({ log, played }, 'modelError', ['b', 'a']);
  });

  it.each<[string, ChatModel['chat']]>([
    ['ends without an answer', () => EMPTY],
    [
      'calls at a place where it has called before',
      () => {
        const request = { id: 'B', name: 'a', arguments: '{}' };
        const event: ChatModelEvent = { type: 'completeToolCall', index: 0, request };
        return of(event, event);
      },
    ],
    [
      'throws',
      () => {
        throw new Error('no model today');
      },
    ],
  ])('is one too where the model %s', (_, broken) => {
    const script = scriptedModel(['A|']);
    let requests = 0;
    const model: ChatModel = { provider: 'x', chat: (request) => (requests++ === 0 ? script.chat(request) : broken(request)) };
    const { log, played } = story({ call: { model } });
    expect(new Set(toldUndone(played.fired))).toEqual(new Set(['a: modelError']));
    expect(log.names().length).toBeGreaterThan(0);
    expect(endsOf(played.firedTypes)).toEqual(['error']);
  });

  it.each<[string, Partial<Script>]>([
    ['a request that can not be made', { chatRequestTransformer: (request) => (request.messages.length > 1 ? fail() : request) }],
    [
      'a provider of tools that fails',
      { toolProviders: [{ isDynamic: true, provideTools: ({ messages }) => (messages.length > 1 ? fail() : []) }] },
    ],
    [
      'an interceptor of the model that fails',
      { interceptors: { model: [(request, _, next) => (request.messages.length > 1 ? fail() : next(request))] } },
    ],
  ])('is what those who look on are told of %s', (_, script) => {
    const { log, played } = story(script);
    expectUndone({ log, played }, 'modelError');
    expect(played.error).toEqual(new Error('not today'));
  });

  it('that comes with a failed undo says that what was done may still stand', () => {
    const { log, played } = story({ rounds: ['A|', '-#'] }, undefined, '-#');
    expect(log.names()).toEqual(['a']);
    expect(toldUndone(played.fired)).toEqual(['a: modelError (a stays done)']);
    expect(played.history[2]).toBe(stillStands('A', why));
  });

  it('is told as one also where the memory can not be written then', () => {
    const memory = roomyMemory();
    const broken: ChatMemory = { ...memory, add: () => throwError(() => new Error('disk full')) };
    const { log, played } = story({ rounds: ['A-#'], chatMemory: broken });
    expectUndone({ log, played }, 'modelError');
    expect(played.error).toMatchObject({ kind: 'interrupted' });
  });
});

describe('a limit', () => {
  const why = 'a limit was reached';
  const usage = (totalTokens: number) => ({ response: { tokenUsage: { totalTokens } } });

  it.each<[string, Partial<Script>]>([
    ['maxToolCallingRoundTrips', { rounds: ['A|', 'A|'], maxToolCallingRoundTrips: 1 }],
    ['limits.totalTokens', { rounds: [{ marbles: 'A|', ...usage(10) }], limits: { totalTokens: 5 } }],
    ['limits.toolCalls', { rounds: ['A|', 'A|'], limits: { toolCalls: 1 } }],
    ['limits.identicalToolCalls', { rounds: ['A|', 'A|'], limits: { identicalToolCalls: 1 } }],
    ['limits.duration while the model streams', { rounds: ['A|', '---------z|'], limits: { duration: 5 } }],
    [
      'limits.duration while a request is made',
      {
        chatRequestTransformer: (request) => (request.messages.length > 1 ? timer(9).pipe(map(() => request)) : request),
        limits: { duration: 5 },
      },
    ],
    [
      'limits.duration while the answer is judged',
      { outputGuardrails: [() => timer(9).pipe(map(() => guardrail.success()))], limits: { duration: 5 } },
    ],
  ])('that fails the invocation undoes what was done: %s', (_, script) => {
    const { log, played } = story(script);
    expectUndone({ log, played }, 'limit');
    expect(played.error).toBeInstanceOf(LimitExceededError);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', rolledBack('A', why)]);
  });

  it('of the time, which stops a tool that has no way back, undoes the others on its own account', () => {
    const { log, played } = story({ rounds: ['(AB)|'], limits: { duration: 5 } }, () => [scriptedTool('b', '---------r|')]);
    expectUndone({ log, played }, 'limit');
    expect(played.error).toMatchObject({ limit: 'duration' });
    expect(played.history.slice(2, 3)).toEqual([rolledBack('A', why)]);
  });

  it('of the time lets a tool settle that can be undone, and then undoes it', () => {
    const { log, played } = story({ rounds: ['(AB)|'], limits: { duration: 5 } }, ({ undoable }) => [
      undoable('b', '---------r|'),
    ]);
    expectUndone({ log, played }, 'limit', ['b', 'a']);
    expect(log.spans()).toEqual(['b ----------(^!)', 'a ----------(^!)']);
    expect(played.history.slice(2)).toEqual([rolledBack('A', why), rolledBack('B', why)]);
  });

  it('of the time gives a tool up that does not settle either', () => {
    const { log, played } = story({ rounds: ['(AB)|'], limits: { duration: 5 } }, ({ undoable }) => [undoable('b', '-')]);
    expectUndone({ log, played }, 'limit');
    expect(log.undos[0]!.spans).toEqual([{ from: 60_005, to: 60_005 }]);
  });

  it('is to blame for what it ends, also where a tool had failed besides', () => {
    const { log, played } = story({ rounds: ['(ABC)|'], limits: { duration: 5 }, toolExecutionErrorHandler: () => 'no' }, () => [
      scriptedTool('b', '-#'),
      scriptedTool('c', '---------r|'),
    ]);
    expectUndone({ log, played }, 'limit');
    expect(played.history.slice(2, 4)).toEqual([rolledBack('A', why), 'B! no']);
  });

  it('does not cut an undo short', () => {
    const { log, played } = story({ rounds: ['A|', '-#'], limits: { duration: 4 } }, undefined, '---------|');
    expectUndone({ log, played }, 'modelError');
    expect(log.spans()).toEqual(['a --^--------!']);
  });

  it.each<[string, Partial<Script>]>([
    ['maxToolCallingRoundTrips', { maxToolCallingRoundTrips: 1 }],
    ['limits.totalTokens', { rounds: [{ marbles: 'A|', ...usage(10) }, '-z|'], limits: { totalTokens: 5, then: 'answer' } }],
    ['limits.toolCalls', { rounds: ['A|', 'A|', '-z|'], limits: { toolCalls: 1, then: 'answer' } }],
  ])('after which the model still answers undoes nothing: %s', (_, script) => {
    const { log, played } = story({ limits: { then: 'answer' }, ...script });
    expect(log.names()).toEqual([]);
    expect(endsOf(played.firedTypes)).toEqual(['completed']);
    expect(played.history[2]).toBe('A: r');
  });

  it('of the time after which the model still answers undoes what others did where it had to stop a tool', () => {
    const { log, played } = story({ rounds: ['(AB)|', '-z|'], limits: { duration: 5, then: 'answer' } }, () => [
      scriptedTool('b', '---------r|'),
    ]);
    expect(log.names()).toEqual(['a']);
    expect(toldUndone(played.fired)).toEqual(['a: toolError']);
    expect(played.history.slice(2)).toEqual([
      rolledBack('A', 'b failed'),
      'B! The tool was stopped: the time of the invocation is up.',
      'assistant: z',
    ]);
  });
});

describe('an answer that is refused', () => {
  const why = 'the answer was refused';

  it('by an output guardrail undoes what was done for it', () => {
    const { log, played } = story({ outputGuardrails: [() => ({ type: 'fatal', message: 'no' })] });
    expectUndone({ log, played }, 'guardrail');
    expect(played.error).toBeInstanceOf(OutputGuardrailError);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', rolledBack('A', why)]);
  });

  it('by an output guardrail as often as it may, and then once more, undoes what was done for it', () => {
    const { log, played } = story({
      rounds: ['A|', '-z|', '-y|', '-x|'],
      outputGuardrails: [() => ({ type: 'retry', message: 'no' })],
    });
    expectUndone({ log, played }, 'guardrail');
    expect(played.model.requests).toHaveLength(4);
  });

  it('by an output guardrail that breaks undoes what was done for it', () => {
    const { log, played } = story({
      outputGuardrails: [
        () => {
          throw new Error('broken');
        },
      ],
    });
    expectUndone({ log, played }, 'guardrail');
  });

  it('because it does not fit the output undoes what was done for it', () => {
    const { log, played } = story({ rounds: ['A|', '-z|', '-z|'], output: z.object({ a: z.number() }) as never });
    expectUndone({ log, played }, 'guardrail');
  });

  it('and mended in time has nothing undone', () => {
    let judged = 0;
    const { log, played } = story({
      rounds: ['A|', '-z|', '-y|'],
      outputGuardrails: [() => (judged++ === 0 ? { type: 'retry', message: 'no' } : { type: 'success' })],
    });
    expect(log.names()).toEqual([]);
    expect(endsOf(played.firedTypes)).toEqual(['completed']);
  });
});

describe('a memory that fails', () => {
  const why = 'the conversation could not be saved';

  /** A memory whose write of this number, counted from 1, fails; or all from then on. */
  const failing = (at: number, onwards = false): { memory: ChatMemory; written: () => readonly string[] } => {
    const memory = roomyMemory();
    let writes = 0;
    const isDown = () => (onwards ? ++writes >= at : ++writes === at);
    return {
      memory: {
        ...memory,
        add: (messages: readonly ChatMessage[]) => (isDown() ? throwError(() => new Error('disk full')) : memory.add(messages)),
      },
      written: () => outline(kept(memory)),
    };
  };

  it('when a round is to be written has its tools undone, and the invocation fails with the error of the memory', () => {
    const { memory, written } = failing(1);
    const { log, played } = story({ chatMemory: memory });
    expectUndone({ log, played }, 'memory');
    expect(played.error).toEqual(new Error('disk full'));
    expect(written()).toEqual([]);
  });

  it('when the answer is to be written has everything undone', () => {
    const { memory, written } = failing(2);
    const { log, played } = story({ chatMemory: memory });
    expectUndone({ log, played }, 'memory');
    expect(written()).toEqual(['user: hello', 'assistant: [A]', rolledBack('A', why)]);
  });

  it('when a later round is to be written has everything undone, and the earlier rounds say so', () => {
    const { memory, written } = failing(2);
    const { log, played } = story({ rounds: ['A|', 'B|'], chatMemory: memory }, ({ undoable }) => [undoable('b', 'r|')]);
    expectUndone({ log, played }, 'memory', ['b', 'a']);
    expect(written()).toEqual(['user: hello', 'assistant: [A]', rolledBack('A', why)]);
  });

  it('after things were undone for a tool does not have them undone again', () => {
    const { memory } = failing(1);
    const { log, played } = story({ rounds: ['(AB)|'], chatMemory: memory, toolExecutionErrorHandler: () => 'no' }, () => [
      scriptedTool('b', '#'),
    ]);
    expect(log.names()).toEqual(['a']);
    expect(toldUndone(played.fired)).toEqual(['a: toolError']);
    expect(played.error).toEqual(new Error('disk full'));
    expect(endsOf(played.firedTypes)).toEqual(['error']);
  });

  it('when results that are the answer are to be written has them undone', () => {
    const { memory } = failing(1);
    const log = undoLog();
    const tools = [{ ...log.undoable('a', 'r|'), returnBehavior: 'immediate' as const }];
    const played = play({ rounds: ['A|'], tools, chatMemory: memory, compensateOnToolErrors: true });
    expectUndone({ log, played }, 'memory');
  });

  it.each([2, 3])('when it is cut to what fits has everything undone on its own account: count %i fails', (at) => {
    let counted = 0;
    const memory = tokenWindowMemory({
      maxTokens: 1000,
      countTokens: () => (++counted > at ? throwError(() => new Error('no tokenizer')) : 1),
    });
    const { log, played } = story({ chatMemory: memory });
    expect(log.names()).toEqual(['a']);
    expect(toldUndone(played.fired)).toEqual(['a: memory']);
  });

  it('when it is told what was undone: that is logged, and changes nothing of how the invocation ends', () => {
    const memory = roomyMemory();
    const broken: ChatMemory = { ...memory, set: () => throwError(() => new Error('read only')) };
    const failed = story({ rounds: ['A|', '-#'], chatMemory: broken });
    expectUndone(failed, 'modelError');
    expect(failed.played.error).toMatchObject({ kind: 'interrupted' });
    expect(failed.played.logs).toEqual([
      ['error', 'Chat memory "default" could not be told of what was undone.', new Error('read only')],
    ]);
    const { log, played } = story(
      { rounds: ['A|', 'B|', '-z|'], chatMemory: { ...roomyMemory(), set: broken.set }, toolExecutionErrorHandler: () => 'no' },
      () => [scriptedTool('b', '#')],
    );
    expect(log.names()).toEqual(['a']);
    expect(endsOf(played.firedTypes)).toEqual(['completed']);
    expect(outline(played.model.requests[2]!.messages)[2]).toBe(rolledBack('A', 'b failed'));
  });

  it('of a store that takes its time to fail has its tools undone when it has', () => {
    const store: ChatMemoryStore = {
      getMessages: () => [],
      updateMessages: () => timer(4).pipe(concatMap(() => throwError(() => new Error('disk full')))),
      deleteMessages: () => undefined,
    };
    const { log, played } = story({ chatMemory: messageWindowMemory({ maxMessages: 10, store }) });
    expectUndone({ log, played }, 'memory');
    expect(log.spans()).toEqual(['a -----(^!)']);
  });
});
