import { Subject, concatMap, takeUntil, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../src/chat/message.ts';
import { toObservable } from '../../src/chat/value.ts';
import type { AiServiceEvent } from '../../src/event/ai-service-event.ts';
import type { ChatMemory } from '../../src/memory/chat-memory.ts';
import { aiService, type AiService } from '../../src/service/ai-service.ts';
import type { AiServiceOptions } from '../../src/service/options.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import type { Tool } from '../../src/tool/types.ts';
import { expectValid, kept, keptLogs, neutral, outline, play, roomyMemory, type Script } from './support.ts';
import { endsOf, playUndoing, rolledBack, stillStands, toldUndone, undoLog } from './undo-log.ts';

/** A service that others call as their tool: what it fires and keeps can be looked at. */
function inner(name: string, rounds: readonly string[], tools: readonly Tool[], options: Partial<AiServiceOptions> = {}) {
  const fired: AiServiceEvent[] = [];
  const chatMemory = roomyMemory();
  const service = aiService({
    model: scriptedModel(rounds, { calls: { S: { arguments: '{"input":"pay"}' } } }),
    tools,
    chatMemory,
    logger: keptLogs(),
    listeners: [(event) => event.type !== 'invocationSummary' && fired.push(event)],
    ...options,
  });
  return {
    service,
    tool: service.asTool({ name }),
    fired,
    types: () => fired.map(({ type }) => type),
    history: () => outline(kept(options.chatMemory ?? chatMemory)),
  };
}

/** The outer one calls the service s, and then the tool x, which fails. */
const outer = (script: Partial<Script>) =>
  playUndoing({
    rounds: ['S|', 'X|', '-z|'],
    script: { calls: { S: { arguments: '{"input":"pay"}' }, M: { arguments: '{"input":"go"}' } } },
    ...script,
  });

const settingsOfInner = [
  ['says nothing of it', {}],
  ['does not undo by itself', { compensateOnToolErrors: false }],
  ['undoes by itself', { compensateOnToolErrors: true }],
] as const;

describe.each(settingsOfInner)('[S188] a service that is a tool and %s', (_, setting) => {
  it('has what its tools did undone when a later tool of the outer one fails', () => {
    const log = undoLog();
    const shop = inner('s', ['(AB)|', 'y|'], [log.undoable('a', 'r|'), log.undoable('b', 'r|')], setting);
    const played = outer({ tools: [shop.tool, scriptedTool('x', '#')] });
    expect(log.names()).toEqual(['b', 'a']);
    expect(log.undos.map(({ execution }) => execution.compensated)).toEqual(['toolError', 'toolError']);
    expect(toldUndone(played.fired)).toEqual(['s: toolError']);
    expect(toldUndone(played.values)).toEqual(['s: toolError']);
    expect(played.history).toEqual([
      'user: hello',
      'assistant: [S]',
      rolledBack('S', 'x failed'),
      'assistant: [X]',
      'X! x failed',
      'assistant: z',
    ]);
    expect(toldUndone(shop.fired)).toEqual(['b: toolError', 'a: toolError']);
    expect(shop.history()).toEqual([
      'user: pay',
      'assistant: [A B]',
      rolledBack('A', 'a tool failed'),
      rolledBack('B', 'a tool failed'),
      'assistant: y',
    ]);
    expect(endsOf(shop.types())).toEqual(['completed']);
  });

  it('has it undone with the reason for which the outer one fails', () => {
    const log = undoLog();
    const shop = inner('s', ['A|', 'y|'], [log.undoable('a', 'r|')], setting);
    const played = outer({ rounds: ['S|', '-#'], tools: [shop.tool] });
    expect(toldUndone(played.fired)).toEqual(['s: modelError']);
    expect(toldUndone(shop.fired)).toEqual(['a: modelError']);
    expect(shop.history()[2]).toBe(rolledBack('A', 'the model failed'));
  });

  it('has it undone when the outer one is given up afterwards', () => {
    const log = undoLog();
    const shop = inner('s', ['A|', 'y|'], [log.undoable('a', 'r|')], setting);
    const played = outer({ rounds: ['S|', '---------z|'], tools: [shop.tool], subscription: '^--------!' });
    expect(toldUndone(played.fired)).toEqual(['s: cancelled']);
    expect(toldUndone(shop.fired)).toEqual(['a: cancelled']);
    expect(shop.history()[2]).toBe(rolledBack('A', 'the invocation was cancelled'));
  });

  it('has it undone when the outer one is given up while it runs, once', () => {
    for (let frame = 1; frame < 12; frame++) {
      const log = undoLog();
      const shop = inner('s', ['A|', '-B|', '---y|'], [log.undoable('a', '-r|'), log.undoable('b', '--r|')], setting);
      const played = outer({ rounds: ['S|', '---z|'], tools: [shop.tool], subscription: `^${'-'.repeat(frame - 1)}!` });
      const begun = frame >= 4 ? ['b', 'a'] : ['a'];
      expect(log.names(), `at ${frame}`).toEqual(begun);
      expect(toldUndone(shop.fired), `at ${frame}`).toEqual(begun.map((name) => `${name}: cancelled`));
      expect(endsOf(played.firedTypes), `at ${frame}`).toEqual(['cancelled']);
      expectValid(kept(played.memory));
    }
  });

  it('has it undone when it fails itself, or takes too long', () => {
    const log = undoLog();
    const shop = inner('s', ['A|', '-#'], [log.undoable('a', 'r|')], setting);
    const played = outer({ rounds: ['S|', '-z|'], tools: [shop.tool] });
    expect(toldUndone(shop.fired)).toEqual(['a: modelError']);
    expect(toldUndone(played.fired)).toEqual([]);
    expect(endsOf(shop.types())).toEqual(['error']);
    const slow = inner('s', ['A|', '---------y|'], [log.undoable('a', 'r|')], setting);
    outer({ rounds: ['S|', '-z|'], tools: [slow.tool], toolTimeout: 5 });
    expect(toldUndone(slow.fired)).toEqual(['a: cancelled']);
    expect(log.names()).toEqual(['a', 'a']);
  });

  it('tells outside what could not be undone inside', () => {
    const log = undoLog();
    const shop = inner('s', ['(AB)|', 'y|'], [log.undoable('a', 'r|'), log.undoable('b', 'r|', { undo: '#' })], setting);
    const played = outer({ tools: [shop.tool, scriptedTool('x', '#')] });
    expect(log.names()).toEqual(['b', 'a']);
    expect(toldUndone(shop.fired)).toEqual(['b: toolError (b stays done)', 'a: toolError']);
    expect(toldUndone(played.fired)).toEqual(['s: toolError (b stays done)']);
    expect(played.history[2]).toBe(stillStands('S', 'x failed'));
    expect(shop.history().slice(2, 4)).toEqual([rolledBack('A', 'a tool failed'), stillStands('B', 'a tool failed')]);
  });

  it('has it undone through two levels', () => {
    const log = undoLog();
    const shop = inner('s', ['A|', 'y|'], [log.undoable('a', 'r|')], setting);
    const mall = inner('m', ['SB|', 'x|'], [shop.tool, log.undoable('b', 'r|')], setting);
    const played = outer({ rounds: ['M|', 'X|', '-z|'], tools: [mall.tool, scriptedTool('x', '#')] });
    expect(log.names()).toEqual(['b', 'a']);
    expect(toldUndone(shop.fired)).toEqual(['a: toolError']);
    expect(toldUndone(mall.fired)).toEqual(['b: toolError', 's: toolError']);
    expect(toldUndone(played.fired)).toEqual(['m: toolError']);
    expect(shop.history()[2]).toBe(rolledBack('A', 'a tool failed'));
    expect(mall.history().slice(2, 4)).toEqual([rolledBack('S', 'a tool failed'), rolledBack('B', 'a tool failed')]);
  });

  it('has it undone through two levels when the outermost one is given up, at any time', () => {
    for (let frame = 1; frame < 14; frame++) {
      const log = undoLog();
      const shop = inner('s', ['A|', '---y|'], [log.undoable('a', '--r|', { undo: '--|' })], setting);
      const mall = inner('m', ['SB|', '--x|'], [shop.tool, log.undoable('b', 'r|')], setting);
      outer({ rounds: ['M|', '--z|'], tools: [mall.tool], subscription: `^${'-'.repeat(frame - 1)}!` });
      expect([...log.names()].sort(), `at ${frame}`).toEqual(['a', 'b']);
      expectOneAtATime(log.undos.flatMap(({ spans }) => spans));
    }
  });
});

describe('[S188] a service that is a tool', () => {
  it('undoes by itself what its own failing tool asks for, where the outer one undoes and it says nothing', () => {
    const log = undoLog();
    const shop = inner('s', ['AB|', 'y|'], [log.undoable('a', 'r|'), scriptedTool('b', '#')], {
      toolExecutionErrorHandler: () => 'no',
    });
    const played = outer({ rounds: ['S|', '-z|'], tools: [shop.tool] });
    expect(toldUndone(shop.fired)).toEqual(['a: toolError']);
    expect(toldUndone(played.fired)).toEqual([]);
    expect(played.history[2]).toBe('S: y');
  });

  it('leaves to its model what to make of a failing tool, where it does not undo by itself', () => {
    const log = undoLog();
    const shop = inner('s', ['AB|', 'y|'], [log.undoable('a', 'r|'), scriptedTool('b', '#')], {
      toolExecutionErrorHandler: () => 'no',
      compensateOnToolErrors: false,
    });
    outer({ rounds: ['S|', '-z|'], tools: [shop.tool] });
    expect(toldUndone(shop.fired)).toEqual([]);
    expect(shop.history().slice(2, 4)).toEqual(['A: r', 'B! no']);
  });

  it('keeps what its tools did where the outer one does not undo, whatever fails there', () => {
    const log = undoLog();
    const shop = inner('s', ['A|', 'y|'], [log.undoable('a', 'r|')]);
    const played = outer({ tools: [shop.tool, scriptedTool('x', '#')], compensateOnToolErrors: false });
    expect(log.names()).toEqual([]);
    expect(played.history[2]).toBe('S: y');
  });

  it('has its tools undone after those that the outer one ran later, and before those that it ran earlier', () => {
    const log = undoLog();
    const shop = inner(
      's',
      ['(AB)|', 'y|'],
      [log.undoable('a', 'r|', { undo: '--|' }), log.undoable('b', 'r|', { undo: '--|' })],
    );
    const played = outer({
      rounds: ['PSQ|', 'X|', '-z|'],
      tools: [
        log.undoable('p', 'r|', { undo: '--|' }),
        shop.tool,
        log.undoable('q', 'r|', { undo: '--|' }),
        scriptedTool('x', '#'),
      ],
    });
    expect(log.names()).toEqual(['q', 'b', 'a', 'p']);
    expectOneAtATime(log.undos.flatMap(({ spans }) => spans));
    expect(toldUndone(played.fired)).toEqual(['q: toolError', 's: toolError', 'p: toolError']);
  });

  it('undoes each of its invocations where it was called twice', () => {
    const log = undoLog();
    const shop = inner('s', ['A|', 'y|', 'B|', 'y|'], [log.undoable('a', 'r|'), log.undoable('b', 'r|')]);
    const calls = { S: { arguments: '{"input":"one"}' }, T: { name: 's', arguments: '{"input":"two"}' } };
    outer({ rounds: ['ST|', 'X|', '-z|'], script: { calls }, tools: [shop.tool, scriptedTool('x', '#')] });
    expect(log.names()).toEqual(['b', 'a']);
    expect(shop.history()).toEqual([
      'user: one',
      'assistant: [A]',
      rolledBack('A', 'a tool failed'),
      'assistant: y',
      'user: two',
      'assistant: [B]',
      rolledBack('B', 'a tool failed'),
      'assistant: y',
    ]);
  });

  it('that could undo nothing is told as undone: there was nothing to undo', () => {
    const shop = inner('s', ['y|'], []);
    const played = outer({ tools: [shop.tool, scriptedTool('x', '#')] });
    expect(toldUndone(played.fired)).toEqual(['s: toolError']);
  });
});

function expectOneAtATime(spans: readonly { from: number; to: number | undefined }[]) {
  const inOrder = [...spans].sort((one, other) => one.from - other.from || one.to! - other.to!);
  inOrder.slice(1).forEach(({ from }, place) => expect(from).toBeGreaterThanOrEqual(inOrder[place]!.to!));
}

describe('[S188] an outer invocation that is given up while a service runs in it', () => {
  /** The outer one has run p; the inner one has run a, or runs it. */
  const left = (chatMemory: ChatMemory | undefined, frame: number) => {
    const log = undoLog();
    const shop = inner('s', ['A|', '---------y|'], [log.undoable('a', 'r|', { undo: '-----|' })]);
    const played = outer({
      rounds: ['PS|'],
      tools: [log.undoable('p', 'r|', { undo: '--|' }), shop.tool],
      chatMemory,
      subscription: `^${'-'.repeat(frame - 1)}!`,
    });
    return { log, shop, played };
  };

  it('undoes its own tools when the inner one has undone its own', () => {
    const { log, shop, played } = left(roomyMemory(), 7);
    expect(log.spans()).toEqual(['a -------^----!', 'p ------------^-!']);
    expect(toldUndone(shop.fired)).toEqual(['a: cancelled']);
    expect(toldUndone(played.fired)).toEqual(['p: cancelled']);
    expect(played.history.slice(2)).toEqual([rolledBack('P', 'the invocation was cancelled'), `S! ${neutral}`]);
    expect(shop.history()).toEqual(['user: pay', 'assistant: [A]', rolledBack('A', 'the invocation was cancelled')]);
  });

  it('holds its turn on its memory until all of that is over', () => {
    const chatMemory = roomyMemory();
    const log = undoLog();
    const shop = inner('s', ['A|', '---------y|'], [log.undoable('a', 'r|', { undo: '-----|' })]);
    const left$ = new Subject<void>();
    const nextModel = scriptedModel(['y|']);
    runMarbles(({ at, expectEvents }) => {
      const service: AiService = aiService({
        model: scriptedModel(['S|'], { calls: { S: { arguments: '{"input":"pay"}' } } }),
        tools: [shop.tool],
        chatMemory,
        compensateOnToolErrors: true,
      });
      expectEvents(service.stream('hello').pipe(takeUntil(left$)));
      at(7, () => {
        left$.next();
        aiService({ model: nextModel, chatMemory }).stream('and now?').subscribe();
      });
    });
    expect(log.spans()).toEqual(['a -------^----!']);
    expect(nextModel.subscriptions()).toEqual(['------------^!']);
  });

  it('undoes its own tools last also where the inner one was stopped for taking too long', () => {
    const log = undoLog();
    const shop = inner('s', ['A|', '-'], [log.undoable('a', 'r|', { undo: '-----|' })]);
    const played = outer({
      rounds: ['PS|', '-z|'],
      tools: [log.undoable('p', 'r|', { undo: '--|' }), shop.tool],
      toolTimeout: 10,
    });
    expect(log.names()).toEqual(['a', 'p']);
    expectOneAtATime(log.undos.flatMap(({ spans }) => spans));
    expect(toldUndone(played.fired)).toEqual(['p: toolError']);
  });
});

describe('[S188] the memory of a service that is a tool', () => {
  /** The same memory, which takes its time to be written. */
  const slowly = (memory: ChatMemory): ChatMemory => ({
    ...memory,
    messages: () => timer(1).pipe(concatMap(() => toObservable(memory.messages()))),
    add: (messages: readonly ChatMessage[]) => timer(3).pipe(concatMap(() => toObservable(memory.add(messages)))),
    set: (messages: readonly ChatMessage[]) => timer(3).pipe(concatMap(() => toObservable(memory.set(messages)))),
  });

  it('loses nothing of what others say to the service while it is told what was undone', () => {
    const roomy = roomyMemory();
    const chatMemory = slowly(roomy);
    for (let frame = 10; frame < 40; frame++) {
      toObservable(roomy.clear()).subscribe();
      const log = undoLog();
      const shop = inner('s', ['A|', 'y|', 'v|'], [log.undoable('a', 'r|')], { chatMemory });
      play({
        rounds: ['S|', '------X|', '-z|'],
        script: { calls: { S: { arguments: '{"input":"pay"}' } } },
        tools: [shop.tool, scriptedTool('x', '#')],
        compensateOnToolErrors: true,
        toolExecutionErrorHandler: () => 'no',
        meanwhile: { [frame]: () => shop.service.stream('and now?').subscribe({ error: () => undefined }) },
      });
      const history = outline(kept(roomy));
      expect(log.names(), `at ${frame}`).toEqual(['a']);
      expect(history, `at ${frame}`).toContain(rolledBack('A', 'a tool failed'));
      expect(
        history.filter((line) => line.startsWith('user:')),
        `at ${frame}`,
      ).toEqual(['user: pay', 'user: and now?']);
      expect(
        history.filter((line) => line.startsWith('assistant:')),
        `at ${frame}`,
      ).toHaveLength(3);
    }
  });
});
