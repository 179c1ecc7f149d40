// @vitest-environment jsdom
import { ApplicationRef, PLATFORM_ID, signal } from '@angular/core';
import { BehaviorSubject, NEVER, Subject, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { provideFakeAiService } from '../../src/angular/testing/provide-fake-ai-service.ts';
import { withServerRendering, withTokensPerFrame } from '../../src/angular/features.ts';
import type { ChatMessage } from '../../src/chat/message.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { tool } from '../../src/tool/tool.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { chatOf, scripted, secondChat, shown, watch } from './chats.ts';
import { TestBed } from './test-bed.ts';

const user = (text: string): ChatMessage => ({ role: 'user', contents: [{ type: 'text', text }] });
const assistant = (text: string | null, ...names: string[]): ChatMessage => ({
  role: 'assistant',
  text,
  toolExecutionRequests: names.map((name) => ({ id: `call-${name}`, name, arguments: '{}' })),
});
const result = (toolName: string, text: string, isError = false): ChatMessage => ({
  role: 'tool',
  id: `call-${toolName}`,
  toolName,
  contents: [{ type: 'text', text }],
  isError,
});

/** Memories that hold something from earlier, by id. */
const remembering = (histories: Readonly<Record<string, readonly ChatMessage[]>>) => ({
  chatMemoryProvider: (id: unknown) => {
    const memory = messageWindowMemory({ id, maxMessages: 100 });
    void memory.set(histories[String(id)] ?? []);
    return memory;
  },
});

describe('what a memory holds', () => {
  it('is shown at the beginning, each question with all that came of it', () => {
    const history = [
      { role: 'system', text: 'Be brief.' } as const,
      user('one'),
      { ...assistant('Well.', 'a', 'b'), thinking: 'Hm' } as ChatMessage,
      result('a', 'ok'),
      result('b', 'no disk', true),
      assistant('Done.'),
      user('two'),
      assistant('Yes.'),
    ];
    const { chat } = scripted([], remembering({ ada: history }), { memoryId: 'ada' });
    expect(shown(chat)).toEqual([
      'user sent: one',
      'assistant done: (Hm) Well. [a done] [b failed] Done.',
      'user sent: two',
      'assistant done: Yes.',
    ]);
    expect(chat.toolCalls()).toEqual([]);
    expect(chat.text()).toBe('Yes.');
  });

  it('goes with the next question, and the chat goes on below it', () => {
    const script = scriptedModel([['Lovelace.']]);
    const { chat } = scripted(script, remembering({ ada: [user('I am Ada.'), assistant('Hello, Ada.')] }), { memoryId: 'ada' });
    chat.send('And my surname?');
    expect(script.requests[0]!.messages).toHaveLength(3);
    expect(shown(chat)).toHaveLength(4);
  });

  it('that comes late stands above what was asked meanwhile', () => {
    const late = new Subject<readonly ChatMessage[]>();
    const slow = { id: 'x', messages: () => late, add: () => undefined, set: () => undefined, clear: () => undefined };
    const { chat } = scripted([['x']], { chatMemory: slow });
    chat.send('two');
    late.next([user('one'), assistant('Yes.')]);
    expect(shown(chat).slice(0, 3)).toEqual(['user sent: one', 'assistant done: Yes.', 'user sent: two']);
  });

  it('that can not be read is an error of the chat, which goes on', () => {
    let isBroken = true;
    const memory = messageWindowMemory({ maxMessages: 10 });
    const chatMemory = { ...memory, messages: () => (isBroken ? throwError(() => new Error('no database')) : memory.messages()) };
    const { chat } = scripted([['x']], { chatMemory });
    expect([chat.status(), chat.error()?.message]).toEqual(['error', 'no database']);
    isBroken = false;
    chat.send('one');
    expect(shown(chat)).toEqual(['user sent: one', 'assistant done: x']);
  });
});

describe('another memoryId', () => {
  it('as a signal changes what is shown, and ends what runs', () => {
    runMarbles(({ model, expectSubscriptions, at }) => {
      const answers = model(['-x---|']);
      const memoryId = signal('ada');
      const { chat } = scripted(answers, remembering({ bob: [user('I am Bob.')] }), { memoryId });
      TestBed.tick();
      chat.send('one');
      at(2, () => {
        memoryId.set('bob');
        TestBed.tick();
        expect(shown(chat)).toEqual(['user sent: I am Bob.']);
        expect([chat.status(), chat.text(), chat.retry()]).toEqual(['idle', '', false]);
      });
      expectSubscriptions(answers).toBe('^-!');
    });
  });

  it('holds for what is sent in the same moment, before Angular runs an effect', () => {
    const memoryId = signal('ada');
    const histories = { ada: [user('I am Ada.')], bob: [user('I am Bob.')] };
    const { chat } = scripted([['x'], ['y']], remembering(histories), { memoryId });
    chat.send('one');
    expect(shown(chat)).toEqual(['user sent: I am Ada.', 'user sent: one', 'assistant done: x']);
    memoryId.set('bob');
    chat.send('two');
    TestBed.tick();
    expect(shown(chat)).toEqual(['user sent: I am Bob.', 'user sent: two', 'assistant done: y']);
  });

  it('that is never told is an error of the chat, and what was asked is unsent', () => {
    const memoryId = new Subject<string>();
    const { chat } = scripted([['x']], {}, { memoryId });
    chat.send('one');
    expect(chat.status()).toBe('submitted');
    memoryId.error(new Error('signed out'));
    expect([chat.status(), chat.error()?.message, shown(chat)]).toEqual(['error', 'signed out', ['user unsent: one']]);
  });

  it('as an Observable: what is asked before its first value waits for it', () => {
    const memoryId = new Subject<string>();
    const ids: unknown[] = [];
    const service = {
      ...remembering({ ada: [user('I am Ada.')] }),
      listeners: [({ invocation }: { invocation: { memoryId?: unknown } }) => ids.push(invocation.memoryId)],
    };
    const { chat } = scripted([['x']], service, { memoryId });
    chat.send('one');
    expect(shown(chat)).toEqual(['user queued: one']);
    memoryId.next('ada');
    expect(shown(chat)).toEqual(['user sent: I am Ada.', 'user sent: one', 'assistant done: x']);
    expect(new Set(ids)).toEqual(new Set(['ada']));
  });

  it('that stays the same changes nothing', () => {
    const memoryId = new BehaviorSubject('ada');
    const { chat } = scripted([['x']], remembering({}), { memoryId });
    chat.send('one');
    memoryId.next('ada');
    expect(shown(chat)).toHaveLength(2);
  });
});

describe('a component that is destroyed', () => {
  it('takes its chat along: requests and tools are left, Observables complete', () => {
    runMarbles(({ model, tool: toolOf, at, record, expectSubscriptions }) => {
      const answers = model(['-A-----|']);
      const slow = toolOf('a', '---------r|');
      const { chat, destroy } = scripted(answers, { tools: [slow] });
      record(chat.status$, (status) => status[0]!).toBe('ss-(i|)');
      chat.send('Go');
      at(3, destroy);
      expectSubscriptions(answers).toBe('^--!');
      expectSubscriptions(slow).toBe('-^-!');
      at(4, () => {
        chat.send('Hello?');
        chat.stop();
        expect(chat.retry()).toBe(false);
      });
    });
  });

  it('leaves the chats of others alone', () => {
    runMarbles(({ model, at, expectSubscriptions }) => {
      const answers = model(['-x--|', '-y--|']);
      const { chat, destroy } = scripted(answers);
      const other = secondChat();
      chat.send('one');
      other.chat.send('two');
      at(2, destroy);
      at(9, () => expect(shown(other.chat).at(-1)).toBe('assistant done: y'));
      expectSubscriptions(answers).toBe('^-!', '^---!');
    });
  });
});

describe('once per frame', () => {
  it('the texts change, and the status at once with all that has come by then', () => {
    runMarbles(({ model, record, animate }) => {
      animate('----f---f---f');
      const { chat } = chatOf([provideFakeAiService(model(['-a-b--cd-|']))], { perFrame: true });
      record(chat.text$, (text) => String(text.length)).toBe('01--2---4');
      record(chat.status$, (status) => status[0]!).toBe('ss-------i');
      chat.send('Go');
    });
  });

  it('is the default of a service that is provided so', () => {
    runMarbles(({ model, record, animate }) => {
      animate('-----f-----f');
      const { chat } = chatOf([provideFakeAiService(model(['-abc-----|']), {}, withTokensPerFrame())]);
      record(chat.text$, (text) => String(text.length)).toBe('01---3');
      chat.send('Go');
    });
  });
});

describe('while a server renders the page', () => {
  const onServer = { provide: PLATFORM_ID, useValue: 'server' };

  it('nothing is asked and no memory is read', () => {
    const script = scriptedModel([['x']]);
    let reads = 0;
    const chatMemory = { ...messageWindowMemory({ maxMessages: 10 }), messages: () => (reads++, []) };
    const { chat } = chatOf([onServer, provideFakeAiService(script, { chatMemory })]);
    chat.send('one');
    chat.send(of('two'));
    expect([shown(chat), script.requests, reads, chat.retry()]).toEqual([[], [], 0, false]);
  });

  it('it is, if the service or the chat wants it, and the page waits for the end', async () => {
    runMarbles(({ model, at }) => {
      const { chat } = chatOf([onServer, provideFakeAiService(model(['-x--|']), {}, withServerRendering())]);
      const app = TestBed.inject(ApplicationRef);
      const stable: boolean[] = [];
      watch(app.isStable, (isStable) => stable.push(isStable));
      chat.send('one');
      at(2, () => expect(stable.at(-1)).toBe(false));
      at(9, () => expect(shown(chat)).toEqual(['user sent: one', 'assistant done: x']));
    });
    await TestBed.inject(ApplicationRef).whenStable();
  });

  it('a page that is destroyed meanwhile leaves nothing to wait for', async () => {
    const never = tool({ name: 'a', execute: () => NEVER });
    const { chat, destroy } = chatOf([onServer, provideFakeAiService([[{ call: 'a' }]], { tools: [never] })], { onServer: true });
    chat.send('one');
    destroy();
    await TestBed.inject(ApplicationRef).whenStable();
    expect(shown(chat).at(-1)).toBe('assistant stopped: [a stopped]');
  });

  it('no frame is waited for', () => {
    const { chat } = chatOf([onServer, provideFakeAiService([['x']], {}, withServerRendering(), withTokensPerFrame())]);
    chat.send('one');
    expect(chat.text()).toBe('x');
  });
});
