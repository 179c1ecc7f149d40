// @vitest-environment jsdom
import { ApplicationRef, PLATFORM_ID, computed, effect, signal } from '@angular/core';
import { describe, expect, it } from 'vitest';
import { provideFakeAiService } from '../../src/angular/testing/provide-fake-ai-service.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { tool } from '../../src/tool/tool.ts';
import { chatOf, scripted, shown, watch } from './chats.ts';
import { TestBed } from './test-bed.ts';

describe('one who acts on what a chat shows', () => {
  it('does it in turn: all others are told of what led to it first', () => {
    runMarbles(({ model, at }) => {
      const { chat } = scripted(model(['-x--|']));
      const seen: string[] = [];
      watch(chat.status$, (status) => status === 'streaming' && chat.stop());
      watch(chat.status$, (status) => seen.push(status));
      chat.send('Go');
      at(9, () => expect([seen.at(-1), chat.status()]).toEqual(['idle', 'idle']));
    });
  });

  it('can ask the next question at the end of an answer, also where one is not asked while another runs', () => {
    runMarbles(({ model, at }) => {
      const { chat } = scripted(model(['-x|', '-y|']), {}, { flatten: 'exhaust' });
      let asked = 0;
      watch(chat.status$, (status) => status === 'idle' && chat.messages().length > 0 && asked++ === 0 && chat.send('two'));
      chat.send('one');
      at(9, () => expect(shown(chat)).toEqual(['user sent: one', 'assistant done: x', 'user sent: two', 'assistant done: y']));
    });
  });

  it('can try again what failed', () => {
    runMarbles(({ model, at }) => {
      const { chat } = scripted(model(['-#', '-#', '-y|']), {}, { flatten: 'exhaust' });
      watch(chat.error$, (error) => error && chat.retry());
      chat.send('one');
      at(9, () => expect(shown(chat)).toEqual(['user sent: one', 'assistant done: y']));
    });
  });

  it('keeps the order of what it asks behind what is asked', () => {
    const { chat } = scripted([['x'], ['y']], {}, { flatten: 'concat' });
    let asked = 0;
    watch(chat.messages$, (messages) => messages.length > 0 && asked++ === 0 && chat.send('two'));
    chat.send('one');
    expect(shown(chat)).toEqual(['user sent: one', 'assistant done: x', 'user sent: two', 'assistant done: y']);
  });

  it('may be a tool', () => {
    const again = tool({ name: 'again', execute: () => void chat.send('two') });
    const asked = tool({ name: 'asked', needsApproval: true, execute: () => 'ok' });
    const { chat } = scripted([[{ call: 'again' }], ['x'], [{ call: 'asked' }], ['y']], { tools: [again, asked] });
    chat.send('one');
    expect(chat.approvals()[0]?.approve() ?? chat.messages()).toBe(true);
    expect(chat.status()).toBe('idle');
  });

  it('with the newest state on the next frame, where views change once per frame', () => {
    runMarbles(({ model, at, animate }) => {
      animate('--f--f--f');
      const { chat } = scripted(model(['-x-y-|']), {}, { perFrame: true });
      watch(chat.status$, (status) => status === 'streaming' && chat.stop());
      chat.send('Go');
      at(9, () => expect(shown(chat).at(-1)).toBe('assistant stopped: x'));
    });
  });

  it('asks once in an effect, whatever the service reads', () => {
    const name = signal('Ada');
    const script = scriptedModel([['x'], ['y']]);
    const { chat } = scripted(script, { systemMessage: () => `For ${name()}.` });
    watch(chat.messages$, () => chat.text());
    TestBed.runInInjectionContext(() => effect(() => void chat.send('Hello')));
    TestBed.tick();
    name.set('Bob');
    TestBed.tick();
    expect(script.requests).toHaveLength(1);
  });
});

describe('what an answer has said', () => {
  const ask = tool({ name: 'ask', needsApproval: true, execute: () => 'ok' });

  it('stays when a later round fails without a word and goes on, also where a call was denied', () => {
    runMarbles(({ at }) => {
      const script = scriptedModel(['(tA|)', '-#', '-z|'], { calls: { A: { name: 'ask' } } });
      const { chat } = scripted(script, { tools: [ask] });
      chat.send('Go');
      at(2, () => chat.approvals()[0]!.deny('No.'));
      at(6, () => expect([chat.status(), chat.retry()]).toEqual(['error', true]));
      at(12, () => expect(shown(chat).at(-1)).toBe('assistant done: t [ask denied] z'));
    });
  });

  it('goes when it is not in the history: no tool had run', () => {
    runMarbles(({ at }) => {
      const script = scriptedModel(['(tA#)', '-z|'], { calls: { A: { name: 'nope' } } });
      const { chat } = scripted(script, { hallucinatedToolNameStrategy: () => 'There is none.' });
      chat.send('Go');
      at(2, () => expect(chat.retry()).toBe(true));
      at(9, () => expect(shown(chat).at(-1)).toBe('assistant done: z'));
    });
  });

  it('is asked for with one more question, where it was stopped behind a tool that ran: as memory has it', () => {
    runMarbles(({ model, tool: toolOf, at, expectMemory }) => {
      const chatMemory = messageWindowMemory({ maxMessages: 20 });
      const { chat } = scripted(model(['-A|', '-x---|', '-z|']), { tools: [toolOf('a', 'r|')], chatMemory });
      chat.send('Go');
      at(5, () => chat.stop());
      at(6, () => chat.retry());
      at(12, () =>
        expect(shown(chat)).toEqual(['user sent: Go', 'assistant stopped: [a done] x', 'user sent: Go', 'assistant done: z']),
      );
      expectMemory(chatMemory).toBe('user: Go', 'assistant: a()', 'a: r', 'user: Go', 'assistant: z');
    });
  });

  it('is one text within a round, and a paragraph for each round', () => {
    const { chat } = scripted(scriptedModel(['(a~bA|)', '(c|)'], { calls: { A: { name: 'r' } } }), {
      tools: [tool({ name: 'r', execute: () => 1 })],
    });
    runMarbles(({ at }) => {
      chat.send('Go');
      at(3, () => expect(chat.text()).toBe('ab\n\nc'));
    });
  });

  it('is none where the question could not be prepared; tried again, it is prepared again', () => {
    const user = signal<string | undefined>(undefined);
    const parameters = computed(() => {
      if (user() === undefined) throw new Error('nobody is signed in');
      return { user: user() };
    });
    const { chat } = scripted([['x']], {}, { parameters });
    chat.send('Go');
    expect([shown(chat), chat.error()?.message]).toEqual([['user sent: Go', 'assistant failed:'], 'nobody is signed in']);
    user.set('Ada');
    expect(chat.retry()).toBe(true);
    expect(shown(chat)).toEqual(['user sent: Go', 'assistant done: x']);
  });

  it('is none where the invocation could not be started', () => {
    const { chat } = scripted([['x']], { idGenerator: failingOnce() });
    chat.send('Go');
    expect([shown(chat), chat.status()]).toEqual([['user sent: Go', 'assistant failed:'], 'error']);
    expect(chat.retry()).toBe(true);
    expect(shown(chat)).toEqual(['user sent: Go', 'assistant done: x']);
  });

  it('an approved call waits for its turn, and is asked about no more', () => {
    runMarbles(({ tool: toolOf, at }) => {
      const script = scriptedModel(['(AB|)', '(z|)'], { calls: { B: { name: 'ask' } } });
      const { chat } = scripted(script, { tools: [toolOf('a', '------r|'), ask], toolConcurrency: 1 });
      chat.send('Go');
      at(2, () => {
        expect(chat.approvals()[0]!.approve()).toBe(true);
        expect([chat.approvals(), chat.toolCalls()[1]!.status]).toEqual([[], 'waiting']);
      });
      at(12, () => expect(shown(chat).at(-1)).toBe('assistant done: [a done] [ask done] z'));
    });
  });

  it('a call that was given up while it waited for approval has failed, and was not denied', () => {
    const { chat } = scripted([[{ call: 'ask' }], ['z']], { tools: [ask] });
    chat.send('Go');
    expect(chat.cancelToolCall(chat.toolCalls()[0]!.id)).toBe(true);
    expect(shown(chat).at(-1)).toBe('assistant done: [ask failed] z');
  });
});

describe('while a server renders the page', () => {
  it('it does not wait for an approval that nobody can give', async () => {
    const ask = tool({ name: 'ask', needsApproval: true, execute: () => 'ok' });
    const server = { provide: PLATFORM_ID, useValue: 'server' };
    const { chat } = chatOf([server, provideFakeAiService([[{ call: 'ask' }]], { tools: [ask] })], { onServer: true });
    chat.send('Go');
    await TestBed.inject(ApplicationRef).whenStable();
    expect(chat.approvals()).toHaveLength(1);
  });
});

function failingOnce(): () => string {
  let count = 0;
  return () => {
    if (count++ === 0) throw new Error('no ids');
    return `id-${count}`;
  };
}
