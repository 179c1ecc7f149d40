import { NEVER, Subject, concatMap, takeUntil, takeWhile, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../src/chat/message.ts';
import { toObservable } from '../../src/chat/value.ts';
import type { AiServiceEvent } from '../../src/event/ai-service-event.ts';
import type { ChatMemory } from '../../src/memory/chat-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { resultOf } from '../../src/service/epilogue.ts';
import { InvocationCancelledError } from '../../src/service/service-errors.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import { watch } from '../chat/watch.ts';
import { expectValid, kept, neutral, outline, play, roomyMemory, type Script } from './support.ts';
import { endsOf, playUndoing, rolledBack, toldUndone, undoLog } from './undo-log.ts';

const why = 'the invocation was cancelled';

/** Calls a, which can be undone. */
const calling = (marbles: string, more: Partial<Script> = {}) => {
  const log = undoLog();
  const a = log.undoable('a', marbles);
  const played = playUndoing({ rounds: ['A|', '-----z|'], tools: [a], ...more });
  return { log, a, played };
};

const leavingAt = (type: string): Pick<Script, 'pipe'> => ({ pipe: takeWhile((event) => event.type !== type) });

describe('a tool that never settles', () => {
  it('is given up when it has had the time that tools have, and its signal is aborted then', () => {
    const { log, a, played } = calling('-', { toolTimeout: 20, subscription: '^----!' });
    expect(a.subscriptions()).toEqual(['^-------------------!']);
    expect(a.contexts[0]!.signal.aborted).toBe(true);
    expect(log.names()).toEqual([]);
    expect(played.history[2]).toContain('A! ');
    expectValid(kept(played.memory));
    expect(endsOf(played.firedTypes)).toEqual(['cancelled']);
  });

  it('is given up after a minute where tools have no limit', () => {
    const log = undoLog();
    const a = log.undoable('a', '-');
    const b = log.undoable('b', 'r|', { undo: () => NEVER });
    const played = playUndoing({ rounds: ['(AB)|'], tools: [a, b], subscription: '^----!' });
    expect(a.subscriptions()).toEqual(['^ 60004ms !']);
    expect(a.contexts[0]!.signal.aborted).toBe(true);
    expect(log.undos.map(({ spans }) => spans)).toEqual([[{ from: 60_005, to: 120_005 }]]);
    expect(played.history[2]).toBe(`A! ${neutral}`);
  });

  it('[S75] holds the turn on the memory until then, and no longer', () => {
    const chatMemory = roomyMemory();
    const left$ = new Subject<void>();
    const options = { chatMemory, toolTimeout: 20, compensateOnToolErrors: true };
    const next = scriptedModel(['y|']);
    runMarbles(({ at, expectEvents }) => {
      const service = aiService({ ...options, model: scriptedModel(['A|']), tools: [undoLog().undoable('a', '-')] });
      expectEvents(service.stream('hello').pipe(takeUntil(left$)));
      at(5, () => {
        left$.next();
        watch(aiService({ ...options, model: next }).stream('and now?'));
      });
    });
    expect(next.subscriptions()).toEqual(['--------------------^!']);
    expect(outline(next.requests[0]!.messages).slice(0, 2)).toEqual(['user: hello', 'assistant: [A]']);
    expectValid(kept(chatMemory), 2);
  });

  it('has the others undone all the same', () => {
    const log = undoLog();
    const tools = [log.undoable('a', 'r|'), log.undoable('b', '-'), log.undoable('c', 'r|')];
    const played = playUndoing({ rounds: ['(ABC)|'], tools, toolTimeout: 20, subscription: '^----!' });
    expect(log.names()).toEqual(['c', 'a']);
    expect(played.history.slice(2, 3)).toEqual([rolledBack('A', why)]);
    expect(played.history.slice(4)).toEqual([rolledBack('C', why)]);
  });
});

describe('a call that could be undone but has not begun', () => {
  it('does not begin when the consumer leaves as it is told of it', () => {
    const { log, a, played } = calling('r|', leavingAt('beforeToolExecution'));
    expect(a.subscriptions()).toEqual([]);
    expect(log.names()).toEqual([]);
    expect(played.history).toEqual([]);
    expect(endsOf(played.firedTypes)).toEqual(['cancelled']);
  });

  it('does not begin when the consumer leaves while the hook before it runs', () => {
    const { log, a, played } = calling('r|', { beforeToolExecution: () => timer(5), subscription: '^--!' });
    expect(a.subscriptions()).toEqual([]);
    expect(log.names()).toEqual([]);
    expect(played.history).toEqual([]);
  });

  it('does not begin when the time is up while the hook before it runs', () => {
    const { log, a, played } = calling('r|', { beforeToolExecution: () => timer(5), limits: { duration: 3 } });
    expect(a.subscriptions()).toEqual([]);
    expect(log.names()).toEqual([]);
    expect(played.marbles.indexOf('#')).toBeGreaterThan(0);
  });

  it('does not begin when it waits for its turn', () => {
    const log = undoLog();
    const tools = [log.undoable('a', '-----r|'), log.undoable('b', 'r|')];
    const played = playUndoing({ rounds: ['(AB)|'], tools, toolConcurrency: 1, subscription: '^--!' });
    expect(tools[1]!.subscriptions()).toEqual([]);
    expect(log.names()).toEqual(['a']);
    expect(played.history.slice(2)).toEqual([rolledBack('A', why), `B! ${neutral}`]);
  });

  it('does not begin when it waits for an approval', () => {
    const log = undoLog();
    const a = { ...log.undoable('a', 'r|'), needsApproval: true };
    const played = playUndoing({
      rounds: ['A|'],
      tools: [a],
      approveToolExecution: () => timer(9).pipe(concatMap(() => [true])),
      subscription: '^--!',
    });
    expect(log.names()).toEqual([]);
    expect(played.history).toEqual([]);
  });
});

describe('a tool that was left to settle', () => {
  it('and fails is not undone, the others are, and its error is told', () => {
    const log = undoLog();
    const tools = [log.undoable('a', 'r|'), log.undoable('b', '-----#')];
    const played = playUndoing({ rounds: ['(AB)|'], tools, subscription: '^--!' });
    expect(log.spans()).toEqual(['a -----(^!)']);
    expect(toldUndone(played.fired)).toEqual(['a: cancelled']);
    expect(played.history.slice(2)).toEqual([rolledBack('A', why), 'B! b failed']);
  });

  it('and whose error would fail the invocation leaves no text of that error', () => {
    const log = undoLog();
    const tools = [log.undoable('a', 'r|'), log.undoable('b', '-----#')];
    const played = play({ rounds: ['(AB)|'], tools, subscription: '^--!', compensateOnToolErrors: true });
    expect(played.history.slice(2)).toEqual([rolledBack('A', why), `B! ${neutral}`]);
    expect(endsOf(played.firedTypes)).toEqual(['cancelled']);
  });

  it('is waited for by its hook too', () => {
    const hooked: string[] = [];
    const { log } = calling('-----r|', {
      afterToolExecution: ({ request }) => void hooked.push(request.name),
      subscription: '^--!',
    });
    expect(hooked).toEqual(['a']);
    expect(log.names()).toEqual(['a']);
  });

  it('tells progress and its end to nobody', () => {
    const { played } = calling('--p--p--r|', { subscription: '^---!' });
    expect(played.marbles).toBe('(A<a)%*a');
  });

  it('starts no call that waited for it', () => {
    const log = undoLog();
    const tools = [log.undoable('a', '-----r|'), log.undoable('b', 'r|'), scriptedTool('c', 'r|')];
    playUndoing({ rounds: ['(ABC)|'], tools, toolConcurrency: 1, subscription: '^--!' });
    expect(tools.slice(1).flatMap((each) => each.subscriptions())).toEqual([]);
  });

  it('is aborted at once where nobody would undo it: without the option', () => {
    const { a, log } = calling('-----r|', { compensateOnToolErrors: false, subscription: '^--!' });
    expect(a.subscriptions()).toEqual(['^--!']);
    expect(a.contexts[0]!.signal.aborted).toBe(true);
    expect(log.names()).toEqual([]);
  });

  it('is one of the tools in the partial result only where it ended before', () => {
    const partialOf = (undo: string) => {
      const controller = new AbortController();
      const log = undoLog();
      const played = playUndoing({
        rounds: ['(AB)|'],
        tools: [log.undoable('a', 'r|', { undo }), scriptedTool('b', '-----r|')],
        call: { signal: controller.signal },
        meanwhile: { 3: () => controller.abort() },
      });
      expect(played.error).toBeInstanceOf(InvocationCancelledError);
      return (played.error as InvocationCancelledError).partial.toolExecutions!.map(({ request, compensated }) => [
        request.id,
        compensated,
      ]);
    };
    expect(partialOf('|')).toEqual([['A', 'cancelled']]);
    expect(partialOf('--|')).toEqual([['A', undefined]]);
  });
});

describe('whoever leaves while things are undone', () => {
  it('[S30] for a failed tool leaves that to go on, once', () => {
    for (let frame = 1; frame < 8; frame++) {
      const log = undoLog();
      const tools = [log.undoable('a', 'r|', { undo: '--|' }), log.undoable('b', 'r|', { undo: '--|' }), scriptedTool('c', '-#')];
      const played = playUndoing({ rounds: ['(ABC)|', '--z|'], tools, subscription: `^${'-'.repeat(frame - 1)}!` });
      expect(log.spans(), `at ${frame}`).toEqual(['b -^-!', 'a ---^-!']);
      expect(played.history.slice(2, 4), `at ${frame}`).toEqual([rolledBack('A', 'c failed'), rolledBack('B', 'c failed')]);
      expect(toldUndone(played.fired), `at ${frame}`).toEqual(['b: toolError', 'a: toolError']);
      expect(endsOf(played.firedTypes), `at ${frame}`).toEqual(['cancelled']);
      expectValid(kept(played.memory));
    }
  });

  it('[S30] for a failure of the model leaves that to go on, once, and is told as gone', () => {
    for (let frame = 1; frame < 9; frame++) {
      const log = undoLog();
      const tools = [log.undoable('a', 'r|', { undo: '--|' }), log.undoable('b', 'r|', { undo: '--|' })];
      const played = playUndoing({ rounds: ['(AB)|', '-#'], tools, subscription: `^${'-'.repeat(frame - 1)}!` });
      expect(log.names(), `at ${frame}`).toEqual(['b', 'a']);
      const isBefore = frame <= 2;
      expect(toldUndone(played.fired), `at ${frame}`).toEqual(
        ['b', 'a'].map((name) => `${name}: ${isBefore ? 'cancelled' : 'modelError'}`),
      );
      expect(endsOf(played.firedTypes), `at ${frame}`).toEqual([frame <= 6 ? 'cancelled' : 'error']);
      expectValid(kept(played.memory));
    }
  });

  it('as the first undo is told leaves the others to go on', () => {
    const log = undoLog();
    const tools = [log.undoable('a', 'r|', { undo: '--|' }), log.undoable('b', 'r|'), scriptedTool('c', '-#')];
    const played = playUndoing({ rounds: ['(ABC)|', '-z|'], tools, ...leavingAt('toolCompensated') });
    expect(log.names()).toEqual(['b', 'a']);
    expect(played.history.slice(2)).toEqual([rolledBack('A', 'c failed'), rolledBack('B', 'c failed'), 'C! c failed']);
    expect(played.model.requests).toHaveLength(1);
  });

  it('as a tool has ended has it undone in the same frame', () => {
    const { log, played } = calling('--r|', leavingAt('afterToolExecution'));
    expect(log.spans()).toEqual(['a ---(^!)']);
    expect(played.history[2]).toBe(rolledBack('A', why));
  });

  it('in a listener, while the tools of the round are told, has them undone once', () => {
    const controller = new AbortController();
    const log = undoLog();
    const played = playUndoing({
      rounds: ['(AB)|', '-z|'],
      tools: [log.undoable('a', 'r|'), log.undoable('b', 'r|')],
      call: { signal: controller.signal },
      listeners: [(event) => event.type === 'toolExecuted' && controller.abort()],
    });
    expect(log.names()).toEqual(['b', 'a']);
    expect(toldUndone(played.fired)).toEqual(['b: cancelled', 'a: cancelled']);
    expect(played.history.slice(2)).toEqual([rolledBack('A', why), rolledBack('B', why)]);
  });

  it('in a listener, while it is told that something was undone, stops nothing of it', () => {
    const controller = new AbortController();
    const log = undoLog();
    const played = playUndoing({
      rounds: ['(ABC)|', '-z|'],
      tools: [log.undoable('a', 'r|'), log.undoable('b', 'r|'), scriptedTool('c', '#')],
      call: { signal: controller.signal },
      listeners: [(event) => event.type === 'toolCompensated' && controller.abort()],
    });
    expect(log.names()).toEqual(['b', 'a']);
    expect(toldUndone(played.fired)).toEqual(['b: toolError', 'a: toolError']);
    expect(endsOf(played.firedTypes)).toEqual(['cancelled']);
    expectValid(kept(played.memory));
  });

  it('in an undo itself stops nothing of it', () => {
    const left$ = new Subject<void>();
    const log = undoLog();
    const tools = [log.undoable('a', 'r|'), log.undoable('b', 'r|', { undo: () => left$.next() }), scriptedTool('c', '#')];
    const played = playUndoing({ rounds: ['(ABC)|', '-z|'], tools, pipe: takeUntil(left$) });
    expect(log.names()).toEqual(['b', 'a']);
    expect(endsOf(played.firedTypes)).toEqual(['cancelled']);
    expect(played.history.slice(2)).toEqual([rolledBack('A', 'c failed'), rolledBack('B', 'c failed'), 'C! c failed']);
  });
});

describe('whoever leaves at the end', () => {
  const slowly = (): ChatMemory => {
    const memory = roomyMemory();
    return {
      ...memory,
      add: (messages: readonly ChatMessage[]) => timer(5).pipe(concatMap(() => toObservable(memory.add(messages)))),
    };
  };

  it('with the final response has nothing undone', () => {
    const before = calling('r|', { pipe: takeWhile(({ type }) => type !== 'partialResponse', true) });
    expect(before.played.values.at(-1)!.type).toBe('partialResponse');
    expect(before.log.names()).toEqual(['a']);
    const last = calling('r|', { pipe: takeWhile(({ type }) => type !== 'finalResponse', true) });
    expect(last.played.values.at(-1)!.type).toBe('finalResponse');
    expect(last.log.names()).toEqual([]);
    expect(endsOf(last.played.firedTypes)).toEqual(['completed']);
    expect(resultOf(last.played.values.at(-1)!).toolExecutions.map(({ compensated }) => compensated)).toEqual([undefined]);
  });

  it('while a round is written has it undone, and the memory told when it can be', () => {
    const { log, played } = calling('r|', { chatMemory: slowly(), subscription: '^---!' });
    expect(log.spans()).toEqual(['a ------(^!)']);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', rolledBack('A', why)]);
  });

  it('while the answer is written has everything undone: it was not out yet', () => {
    const { log, played } = calling('r|', { chatMemory: slowly(), subscription: '^--------------!' });
    expect(log.names()).toEqual(['a']);
    expect(endsOf(played.firedTypes)).toEqual(['cancelled']);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', rolledBack('A', why), 'assistant: z']);
  });
});

describe('a token stream', () => {
  const story = (leave: (handle: { cancel(): void }) => void, options: { throws: boolean }) => {
    const log = undoLog();
    const fired: AiServiceEvent[] = [];
    runMarbles(({ at }) => {
      const service = aiService({
        model: scriptedModel(['-A|', '--z-z|']),
        tools: [log.undoable('a', 'r|')],
        compensateOnToolErrors: true,
        listeners: [(event) => fired.push(event)],
      });
      const handle = service
        .tokenStream('hello')
        .onPartialResponse(() => {
          if (options.throws) throw new Error('no screen');
        })
        .onError(() => undefined)
        .start();
      at(4, () => leave(handle));
    });
    expect(endsOf(fired.map(({ type }) => type))).toEqual(['cancelled']);
    expect(toldUndone(fired)).toEqual(['a: cancelled']);
    return log.spans();
  };

  it('that is cancelled has everything undone', () => {
    expect(story((handle) => handle.cancel(), { throws: false })).toEqual(['a ----(^!)']);
  });

  it('that is given up because a callback throws has everything undone', () => {
    expect(story(() => undefined, { throws: true })).toEqual(['a ----(^!)']);
  });
});

describe('the reason that is given to the undoing', () => {
  it('tells it that the invocation was cancelled', () => {
    const { log } = calling('r|', { subscription: '^---!' });
    expect(log.undos.map(({ execution }) => execution.compensated)).toEqual(['cancelled']);
  });

  it('is what those learn who look on, and no stream tells it', () => {
    const { played } = calling('r|', { subscription: '^---!' });
    expect(toldUndone(played.fired)).toEqual(['a: cancelled']);
    expect(toldUndone(played.values)).toEqual([]);
    expect(played.firedTypes.slice(-2)).toEqual(['cancelled', 'toolCompensated']);
  });
});

describe('a tool of a user that never looks at its signal', () => {
  it('and can not be undone does not keep the invocation from being left, nor the memory', () => {
    const deaf = tool({ name: 'a', execute: () => new Promise<string>(() => undefined) });
    const log = undoLog();
    const chatMemory = roomyMemory();
    playUndoing({ rounds: ['(BA)|'], tools: [deaf, log.undoable('b', 'r|')], chatMemory, subscription: '^--!' });
    expect(log.names()).toEqual(['b']);
    expect(play({ rounds: ['y|'], chatMemory }).marbles).toBe('y($|)');
    expect(outline(kept(chatMemory))).toEqual([
      'user: hello',
      'assistant: [B A]',
      rolledBack('B', why),
      `A! ${neutral}`,
      'user: hello',
      'assistant: y',
    ]);
  });
});
