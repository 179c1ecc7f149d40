import { VirtualTimeScheduler, map, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { guardrail } from '../../src/chat/guardrail-result.ts';
import type { ChatMemory } from '../../src/memory/chat-memory.ts';
import { LimitExceededError } from '../../src/service/service-errors.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import type { Tool } from '../../src/tool/types.ts';
import { expectValid, kept, outline, play, roomyMemory, type Script } from './support.ts';
import { endsOf, undoLog } from './undo-log.ts';

/** A memory whose writes take time, and what it holds. */
function slowMemory(): ChatMemory {
  const memory = roomyMemory();
  return { ...memory, add: (messages) => timer(2).pipe(map(() => void memory.add(messages))) };
}

/** With an answer to spare: what was cut off is asked for again. */
const rounds = ['-t-A-(BC)---|', '-u-D-|', '-z-|', '-z-|'];

const variants: Readonly<Record<string, Partial<Script>>> = {
  'as it is': {},
  'with tools that run one by one': { toolConcurrency: 1 },
  'with a slow memory': { chatMemory: slowMemory() },
  'with the undoing of tools': { compensateOnToolErrors: true },
  'with a slow beginning and a slow judgement': {
    systemMessage: () => timer(2).pipe(map(() => 'be kind')),
    chatRequestTransformer: (request) => timer(1).pipe(map(() => request)),
    outputGuardrails: [() => timer(2).pipe(map(() => guardrail.success()))],
  },
  'with a broken stream that is asked for again': {
    rounds: ['-t-#', ...rounds.slice(0, 1), '-u#', ...rounds.slice(1)],
    roundRetries: 2,
  },
};

describe.each(Object.entries(variants))('an invocation whose time is up at any frame, %s', (_, variant) => {
  const durations = Array.from({ length: 45 }, (_unused, frame) => frame + 1);

  const tell = (duration: number, then: 'fail' | 'answer', timeOf: Partial<Script> = {}) => {
    const log = undoLog();
    const scripted = [log.undoable('a', '----r|'), scriptedTool('b', '--r|'), scriptedTool('c', '-#'), log.undoable('d', '-r|')];
    const tools = scripted.map((tool): Tool => (tool.specification.name === 'b' ? { ...tool, needsApproval: () => true } : tool));
    // The slow one keeps what it was told: each invocation needs its own.
    const memory = variant.chatMemory ? slowMemory() : roomyMemory();
    const played = play({
      rounds,
      toolExecutionErrorHandler: toolExecutionErrorHandler.sendExceptionMessageToLlm(),
      approveToolExecution: () => timer(3).pipe(map(() => true)),
      ...variant,
      chatMemory: memory,
      tools,
      limits: { duration, then },
      ...timeOf,
    });
    return { played, log, scripted };
  };

  it.each(['fail', 'answer'] as const)('ends once, lets go of everything, and leaves a valid history (then: %s)', (then) => {
    const ends = new Set<string>();
    for (const duration of durations) {
      const { played, scripted } = tell(duration, then);
      const at = `duration ${duration}`;
      ends.add(played.error === undefined ? 'answer' : 'limit');
      if (played.error !== undefined) {
        expect(played.error, at).toBeInstanceOf(LimitExceededError);
        expect(played.error, at).toMatchObject({ limit: 'duration' });
      }
      expect(endsOf(played.firedTypes), at).toEqual([played.error === undefined ? 'completed' : 'error']);
      expectValid(kept(played.memory));
      const spans = [...played.model.subscriptions(), ...scripted.flatMap((tool) => tool.subscriptions())];
      expect(
        spans.filter((span) => !span.includes('!')),
        at,
      ).toEqual([]);
      const { history } = played;
      const next = play({ rounds: ['-z|'], chatMemory: played.memory! });
      expect(next.error, at).toBeUndefined();
      expect(outline(next.model.requests[0]!.messages).slice(0, -1), at).toEqual(history);
    }
    expect([...ends].sort()).toEqual(then === 'fail' ? ['answer', 'limit'] : ['answer']);
  });

  it('tells of each call that began that it has ended, once', () => {
    for (const duration of durations) {
      const { played } = tell(duration, 'fail');
      const idsOf = (type: 'beforeToolExecution' | 'afterToolExecution') =>
        played.values.flatMap((event) => {
          if (event.type !== type) return [];
          return [event.type === 'afterToolExecution' ? event.execution.request.id : event.request.id];
        });
      const ended = idsOf('afterToolExecution');
      expect(new Set(ended).size, `duration ${duration}`).toBe(ended.length);
      expect(
        idsOf('beforeToolExecution').filter((id) => !ended.includes(id)),
        `duration ${duration}`,
      ).toEqual([]);
    }
  });

  it('undoes each tool once at most, and none that has failed', () => {
    for (const duration of durations) {
      const { played, log } = tell(duration, 'fail');
      expect(new Set(log.names()).size, `duration ${duration}`).toBe(log.names().length);
      const succeeded = played.values.flatMap((event) =>
        event.type === 'afterToolExecution' && !event.execution.hasFailed ? [event.execution.request.name] : [],
      );
      const expected = variant.compensateOnToolErrors ? succeeded.filter((name) => 'ad'.includes(name)) : [];
      if (played.error !== undefined) expect([...log.names()].sort(), `duration ${duration}`).toEqual(expected.sort());
    }
  });

  it('leaves no timer', () => {
    const scheduler = new VirtualTimeScheduler();
    for (const subscription of ['^', '^---!', '^--------!', '^------------!']) {
      tell(1000, 'fail', { scheduler, subscription });
      expect(scheduler.actions).toEqual([]);
    }
  });
});
