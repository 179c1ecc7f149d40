import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import type { ChatMessage } from '../../src/chat/message.ts';
import { fromTask } from '../../src/chat/value.ts';
import type { ChatMemory } from '../../src/memory/chat-memory.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { watch } from '../chat/watch.ts';
import { expectValid, kept, outline } from '../service/support.ts';
import { answer, calling, result, system, unit, user, validHistory } from './histories.ts';

function add(memory: ChatMemory, ...messages: ChatMessage[]): void {
  expect(watch(fromTask(() => memory.add(messages))).end).toBe('complete');
}

function set(memory: ChatMemory, ...messages: ChatMessage[]): void {
  expect(watch(fromTask(() => memory.set(messages))).end).toBe('complete');
}

/** What a window of this size keeps of a history that is added at once. */
function windowed(maxMessages: number, ...messages: ChatMessage[]): readonly string[] {
  const memory = messageWindowMemory({ maxMessages });
  add(memory, ...messages);
  return outline(kept(memory));
}

describe('a window of messages', () => {
  it('keeps everything up to its size, and the newest beyond it', () => {
    const memory = messageWindowMemory({ maxMessages: 4 });
    for (let i = 1; i <= 2; i++) add(memory, user(`q${i}`), answer(`a${i}`));
    expect(outline(kept(memory))).toEqual(['user: q1', 'assistant: a1', 'user: q2', 'assistant: a2']);
    add(memory, user('q3'), answer('a3'));
    expect(outline(kept(memory))).toEqual(['user: q2', 'assistant: a2', 'user: q3', 'assistant: a3']);
  });

  it('[S171] drops a call together with its one result, and with all of several', () => {
    expect(windowed(3, user('q1'), ...unit('A'), answer('a1'), user('q2'), answer('a2'))).toEqual([
      'assistant: a1',
      'user: q2',
      'assistant: a2',
    ]);
    expect(windowed(6, user('q1'), ...unit('A', 'B', 'C'), answer('a1'), user('q2'), answer('a2'))).toEqual([
      'assistant: a1',
      'user: q2',
      'assistant: a2',
    ]);
  });

  it('[S171] drops a question together with the calls that it led to', () => {
    expect(windowed(7, user('q1'), ...unit('A'), ...unit('B'), answer('a1'), user('q2'), answer('a2'))).toEqual([
      'assistant: a1',
      'user: q2',
      'assistant: a2',
    ]);
  });

  it('[G41] never begins with a result: a call and its results leave together, and the last user message stays', () => {
    const memory = messageWindowMemory({ maxMessages: 5 });
    add(memory, user('q1'), ...unit('A'), answer('a1'), user('q2'));
    expect(outline(kept(memory))).toEqual(['user: q1', 'assistant: [A]', 'A: r', 'assistant: a1', 'user: q2']);
    add(memory, answer('a2'));
    expect(outline(kept(memory))).toEqual(['assistant: a1', 'user: q2', 'assistant: a2']);
    add(memory, user('q3'));
    expect(outline(kept(memory))).toEqual(['assistant: a1', 'user: q2', 'assistant: a2', 'user: q3']);
  });

  it('[G41] may be exceeded by a unit that can not be parted', () => {
    expect(windowed(2, user('q1'), answer('a1'), user('q2'), ...unit('A', 'B', 'C'))).toEqual([
      'user: q2',
      'assistant: [A B C]',
      'A: r',
      'B: r',
      'C: r',
    ]);
    expect(windowed(1, system('s'), user('q1'))).toEqual(['system: s', 'user: q1']);
  });

  it('drops the oldest rounds of a long invocation, but not its question', () => {
    expect(windowed(4, user('q'), ...unit('A'), ...unit('B'), ...unit('C'))).toEqual(['user: q', 'assistant: [C]', 'C: r']);
  });

  it('[S171][G45] keeps the system message: first, single, the latest, and counted', () => {
    const memory = messageWindowMemory({ maxMessages: 3 });
    add(memory, system('old'), user('q1'), answer('a1'));
    for (let i = 2; i <= 5; i++) add(memory, user(`q${i}`), answer(`a${i}`));
    expect(outline(kept(memory))).toEqual(['system: old', 'user: q5', 'assistant: a5']);
    add(memory, system('new'), user('q6'), answer('a6'));
    expect(outline(kept(memory))).toEqual(['system: new', 'user: q6', 'assistant: a6']);
  });

  it('[S171] keeps valid conversations valid, whatever the window', () => {
    fc.assert(
      fc.property(validHistory, fc.integer({ min: 1, max: 12 }), fc.boolean(), (history, maxMessages, hasSystem) => {
        const all = hasSystem ? [system('s'), ...history] : history;
        const memory = messageWindowMemory({ maxMessages });
        add(memory, ...all);
        const left = kept(memory);
        expectValid(left, Infinity);
        // In their order, and none of them changed.
        expect(all.filter((message) => left.includes(message))).toEqual(left);
        expect(left.includes(all.findLast(({ role }) => role === 'user')!)).toBe(true);
        expect(left[0]!.role === 'system').toBe(hasSystem);
        expect(left.at(-1)).toBe(all.at(-1));
        expect(left.find(({ role }) => role !== 'system')!.role).not.toBe('tool');
        if (all.length <= maxMessages) expect(left).toEqual(all);
        // Beyond the window only what can not be parted: the question, and the last answer with its results.
        if (left.length > maxMessages) expect(left.filter(({ role }) => role === 'assistant').length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });

  it('is replaced by set, and emptied by clear', () => {
    const memory = messageWindowMemory({ maxMessages: 3 });
    add(memory, user('q1'), answer('a1'));
    set(memory, system('s'), user('q2'), answer('a2'), user('q3'));
    expect(outline(kept(memory))).toEqual(['system: s', 'assistant: a2', 'user: q3']);
    expect(watch(fromTask(() => memory.clear())).end).toBe('complete');
    expect(kept(memory)).toEqual([]);
    add(memory, user('q4'));
    expect(outline(kept(memory))).toEqual(['user: q4']);
  });

  it("has an id: 'default' unless one is given", () => {
    expect(messageWindowMemory({ maxMessages: 1 }).id).toBe('default');
    expect(messageWindowMemory({ maxMessages: 1, id: 7 }).id).toBe(7);
  });

  it('is independent of every other one', () => {
    const [one, other] = [messageWindowMemory({ maxMessages: 9 }), messageWindowMemory({ maxMessages: 9 })];
    add(one, user('q'));
    expect(kept(other)).toEqual([]);
  });
});

describe('[G47] the arrays of the caller', () => {
  it('are not shared with the memory, neither those it gets nor those it gives', () => {
    const memory = messageWindowMemory({ maxMessages: 9 });
    const added: ChatMessage[] = [user('q1')];
    add(memory, ...added);
    expect(watch(fromTask(() => memory.add(added))).end).toBe('complete');
    added.push(answer('smuggled'));
    const replacement: ChatMessage[] = [user('q2'), calling('A'), result('A')];
    expect(outline(kept(memory))).toEqual(['user: q1', 'user: q1']);
    expect(watch(fromTask(() => memory.set(replacement))).end).toBe('complete');
    replacement.pop();
    (kept(memory) as ChatMessage[]).pop();
    expect(outline(kept(memory))).toEqual(['user: q2', 'assistant: [A]', 'A: r']);
    expect(replacement).toHaveLength(2);
  });

  it('are not changed by the memory, even where it has to drop', () => {
    const frozen = Object.freeze([system('s'), user('q1'), answer('a1'), user('q2'), answer('a2')]);
    const memory = messageWindowMemory({ maxMessages: 3 });
    expect(watch(fromTask(() => memory.set(frozen))).end).toBe('complete');
    expect(frozen).toHaveLength(5);
    expect(kept(memory)).toHaveLength(3);
  });
});

describe('a window that can not work is a ConfigurationError', () => {
  it.each<[what: string, options: unknown]>([
    ['no options', undefined],
    ['no size', {}],
    ['size 0', { maxMessages: 0 }],
    ['size 1.5', { maxMessages: 1.5 }],
    ['a size in text', { maxMessages: '10' }],
    ['an unknown option', { maxMessages: 10, maxTokens: 5 }],
  ])('%s', (_, options) => {
    expect(() => messageWindowMemory(options as never)).toThrow(ConfigurationError);
  });
});
