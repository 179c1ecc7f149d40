import { delay, of } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import type { ChatMessage } from '../../src/chat/message.ts';
import { fromTask, fromValue } from '../../src/chat/value.ts';
import { tokenWindowMemory } from '../../src/memory/token-window-memory.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { watch } from '../chat/watch.ts';
import { kept, outline } from '../service/support.ts';
import { answer, system, unit, user } from './histories.ts';

/** Ten tokens a message. */
const countTokens = (messages: readonly ChatMessage[]) => messages.length * 10;
const long: readonly ChatMessage[] = [system('s'), user('q1'), ...unit('A', 'B'), answer('a1'), user('q2'), answer('a2')];

describe('a window of tokens', () => {
  it('[S171] keeps what fits, under the rules of the message window', () => {
    const memory = tokenWindowMemory({ maxTokens: 45, countTokens });
    watch(fromTask(() => memory.add(long)));
    expect(outline(kept(memory))).toEqual(['system: s', 'assistant: a1', 'user: q2', 'assistant: a2']);
  });

  it('counts by weight, not by number', () => {
    const byLength = (messages: readonly ChatMessage[]) => outline(messages).join('').length;
    const memory = tokenWindowMemory({ maxTokens: 60, countTokens: byLength });
    watch(fromTask(() => memory.add([user('x'.repeat(40)), answer('y'), user('q'), answer('a')])));
    expect(outline(kept(memory))).toEqual(['assistant: y', 'user: q', 'assistant: a']);
  });

  it('[S171] may be exceeded by a unit that can not be parted', () => {
    const memory = tokenWindowMemory({ maxTokens: 1, countTokens });
    watch(fromTask(() => memory.add([...long.slice(0, 1), user('q'), ...unit('A', 'B')])));
    expect(outline(kept(memory))).toEqual(['system: s', 'user: q', 'assistant: [A B]', 'A: r', 'B: r']);
  });

  it('takes a tokenizer that is asynchronous: a promise', async () => {
    const memory = tokenWindowMemory({ maxTokens: 45, countTokens: (messages) => Promise.resolve(countTokens(messages)) });
    await new Promise<void>((complete, error) => fromTask(() => memory.add(long)).subscribe({ complete, error }));
    expect(outline(kept(memory))).toEqual(['system: s', 'assistant: a1', 'user: q2', 'assistant: a2']);
  });

  it('takes a tokenizer that is asynchronous: an Observable, in virtual time', () => {
    const memory = tokenWindowMemory({ maxTokens: 45, countTokens: (messages) => of(countTokens(messages)).pipe(delay(1)) });
    runMarbles(({ record }) => {
      record(fromTask(() => memory.add(long))).toBe('--|');
    });
    expect(kept(memory)).toHaveLength(4);
  });

  it('asks the tokenizer a few times, not once for each message', () => {
    const counting = vi.fn(countTokens);
    const memory = tokenWindowMemory({ maxTokens: 1000, countTokens: counting });
    watch(fromTask(() => memory.add(Array.from({ length: 500 }, (_, i) => [user(`q${i}`), answer(`a${i}`)]).flat())));
    expect(kept(memory)).toHaveLength(100);
    expect(counting.mock.calls.length).toBeLessThanOrEqual(12);
  });

  it('fails the write, and keeps what it had, when the tokenizer fails', () => {
    const failure = new Error('no tokenizer');
    let isBroken = false;
    const memory = tokenWindowMemory({
      maxTokens: 100,
      countTokens: (messages) => {
        if (isBroken) throw failure;
        return countTokens(messages);
      },
    });
    watch(fromTask(() => memory.add([user('q1'), answer('a1')])));
    isBroken = true;
    expect(watch(fromTask(() => memory.add([user('q2')]))).error).toBe(failure);
    expect(outline(kept(memory))).toEqual(['user: q1', 'assistant: a1']);
  });

  it('tells what it would keep of a request, without keeping it', () => {
    const memory = tokenWindowMemory({ maxTokens: 45, countTokens });
    expect(watch(fromValue(() => memory.fit!(long))).values.map(outline)).toEqual([
      ['system: s', 'assistant: a1', 'user: q2', 'assistant: a2'],
    ]);
    expect(kept(memory)).toEqual([]);
  });
});

describe('a window of tokens that can not work is a ConfigurationError', () => {
  it.each<[what: string, options: unknown]>([
    ['no options', undefined],
    ['no size', { countTokens }],
    ['size 0', { maxTokens: 0, countTokens }],
    ['no tokenizer', { maxTokens: 10 }],
    ['a tokenizer that is no function', { maxTokens: 10, countTokens: 'gpt' }],
    ['an unknown option', { maxTokens: 10, countTokens, maxMessages: 5 }],
  ])('%s', (_, options) => {
    expect(() => tokenWindowMemory(options as never)).toThrow(ConfigurationError);
  });
});
