import { map, retry, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatMemory } from '../../src/memory/chat-memory.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import type { ScriptedRound } from '../../src/testing/scripted-answer.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { keptLogs, kept, neutral, outline, roomyMemory } from '../service/support.ts';

/** A memory whose writes take their time. */
function slowMemory(ms: number): ChatMemory {
  let held: readonly never[] = [];
  return messageWindowMemory({
    maxMessages: 100,
    store: {
      getMessages: () => held,
      updateMessages: (_, messages) => timer(ms).pipe(map(() => void (held = messages as readonly never[]))),
      deleteMessages: () => {},
    },
  });
}

function serviceOn(chatMemory: ChatMemory, rounds: readonly (string | ScriptedRound)[], toolMarbles = '---r|') {
  const model = scriptedModel(rounds);
  const fired: string[] = [];
  let ids = 0;
  const service = aiService({
    model,
    tools: [scriptedTool('a', toolMarbles)],
    chatMemory,
    logger: keptLogs(),
    idGenerator: () => `id${++ids}`,
    listeners: [({ type, invocation }) => fired.push(`${invocation.invocationId} ${type}`)],
  });
  return {
    model,
    service,
    fired,
    history: () => outline(kept(chatMemory)),
    asked: () => model.requests.map(({ messages }) => outline(messages).at(-1)),
  };
}

describe('[G43] invocations on one memory', () => {
  it('take turns: the second asks the model when the first has its answer, and they do not interleave', () => {
    const { service, model, history, asked } = serviceOn(roomyMemory(), ['-A|', '-y|', '-A|', '-z|']);
    runMarbles(({ expectEvents }) => {
      expectEvents(service.stream('q1')).toBe('-(A<a)%-*a>ay($|)');
      expectEvents(service.stream('q2'), '-^').toBe('--------(A<a)%-*a>az($|)');
    });
    expect(model.subscriptions()).toEqual(['^-!', '-----^-!', '-------^-!', '------------^-!']);
    expect(asked()).toEqual(['user: q1', 'A: r', 'user: q2', 'id3: r']);
    expect(history()).toEqual([
      'user: q1',
      'assistant: [A]',
      'A: r',
      'assistant: y',
      'user: q2',
      'assistant: [id3]',
      'id3: r',
      'assistant: z',
    ]);
  });

  it('come in the order of subscription, not of creation', () => {
    const { service, asked } = serviceOn(roomyMemory(), ['--a|', '--b|', '--c|']);
    runMarbles(({ expectEvents }) => {
      const [last, first, second] = ['last', 'first', 'second'].map((input) => service.stream(input));
      expectEvents(last!, '--^').toBe('--------c($|)');
      expectEvents(first!, '^').toBe('--a($|)');
      expectEvents(second!, '-^').toBe('-----b($|)');
    });
    expect(asked()).toEqual(['user: first', 'user: second', 'user: last']);
  });

  it('may leave the queue, and those behind them move up', () => {
    const { service, asked, fired, history } = serviceOn(roomyMemory(), ['---a|', '--c|']);
    runMarbles(({ expectEvents }) => {
      expectEvents(service.stream('q1')).toBe('---a($|)');
      expectEvents(service.stream('q2'), '-^-!').toBe('');
      expectEvents(service.stream('q3'), '--^').toBe('------c($|)');
    });
    expect(asked()).toEqual(['user: q1', 'user: q3']);
    expect(history()).toEqual(['user: q1', 'assistant: a', 'user: q3', 'assistant: c']);
    expect(fired.filter((line) => line.startsWith('id2'))).toEqual(['id2 started', 'id2 cancelled', 'id2 invocationSummary']);
  });

  it('hand the turn on when one fails, and when one is cancelled', () => {
    const { service, history } = serviceOn(roomyMemory(), ['-a#', '--b---|', '-c|']);
    runMarbles(({ expectEvents }) => {
      expectEvents(service.stream('q1')).toBe('-a#');
      expectEvents(service.stream('q2'), '^------!').toBe('----b');
      expectEvents(service.stream('q3'), '^').toBe('--------c($|)');
    });
    expect(history()).toEqual(['user: q3', 'assistant: c']);
  });

  it('wait for the last write of one that was cancelled', () => {
    const { service, model, history } = serviceOn(slowMemory(4), ['A-|', '-z|'], '------r|');
    runMarbles(({ expectEvents }) => {
      expectEvents(service.stream('q1'), '^--!').toBe('(A<a)-%');
      expectEvents(service.stream('q2'), '^').toBe('--------z----($|)');
    });
    expect(model.subscriptions()).toEqual(['^-!', '-------^-!']);
    expect(history()).toEqual(['user: q1', 'assistant: [A]', `A! ${neutral}`, 'user: q2', 'assistant: z']);
  });

  it('wait for the write of one whose consumer has left meanwhile', () => {
    const { service, model, history } = serviceOn(slowMemory(4), ['a|', 'z|']);
    runMarbles(({ expectEvents }) => {
      expectEvents(service.stream('q1'), '^--!').toBe('a');
      expectEvents(service.stream('q2'), '^').toBe('-----z----($|)');
    });
    expect(model.subscriptions()).toEqual(['^!', '-----^!']);
    expect(history()).toEqual(['user: q1', 'assistant: a', 'user: q2', 'assistant: z']);
  });

  it('take the next turn anew when they are tried again after an error', () => {
    const { service, asked } = serviceOn(roomyMemory(), ['-#', '-b|', '-a|']);
    runMarbles(({ expectEvents }) => {
      expectEvents(service.stream('q1').pipe(retry(1))).toBe('----a($|)');
      expectEvents(service.stream('q2'), '^').toBe('--b($|)');
    });
    expect(asked()).toEqual(['user: q1', 'user: q2', 'user: q1']);
  });

  it('take turns also when they belong to two services', () => {
    const chatMemory = roomyMemory();
    const [one, other] = [serviceOn(chatMemory, ['--a|']), serviceOn(chatMemory, ['-b|'])];
    runMarbles(({ expectEvents }) => {
      expectEvents(one.service.stream('q1')).toBe('--a($|)');
      expectEvents(other.service.stream('q2')).toBe('----b($|)');
    });
    expect(one.history()).toEqual(['user: q1', 'assistant: a', 'user: q2', 'assistant: b']);
  });

  it('do not wait for those on another memory, nor for those without', () => {
    const model = scriptedModel(['--a|', '-b|', '-c|']);
    const service = aiService({ model, chatMemoryProvider: (id) => messageWindowMemory({ maxMessages: 9, id }) });
    runMarbles(({ expectEvents }) => {
      expectEvents(service.stream('q1', { memoryId: 1 })).toBe('--a($|)');
      expectEvents(service.stream('q2', { memoryId: 2 })).toBe('-b($|)');
      expectEvents(aiService({ model }).stream('q3')).toBe('-c($|)');
    });
  });

  it('pass by thousands at once without a stack overflow', () => {
    const chatMemory = messageWindowMemory({ maxMessages: 4 });
    const model = scriptedModel(['-a|', ...Array.from({ length: 3000 }, () => '(b|)')]);
    const service = aiService({ model, chatMemory });
    const answers: string[] = [];
    runMarbles(({ record }) => {
      for (let i = 0; i <= 3000; i++) record(service.text(`q${i}`), (text) => (answers.push(text), ''));
    });
    expect(answers.join('')).toBe(`a${'b'.repeat(3000)}`);
    expect(outline(kept(chatMemory)).at(-2)).toBe('user: q3000');
  });
});
