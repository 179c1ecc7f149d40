// @vitest-environment jsdom
import { computed, signal } from '@angular/core';
import { Subject, of, timer, map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatModel } from '../../src/chat/chat-model.ts';
import type { ToolContext } from '../../src/tool/types.ts';
import { tool } from '../../src/tool/tool.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scripted, shown, watch } from './chats.ts';
import { TestBed } from './test-bed.ts';

describe('a second question while an answer streams', () => {
  it('ends the first one: its request is left', () => {
    runMarbles(({ model, at, expectSubscriptions }) => {
      const answers = model(['-x---|', '-y|']);
      const { chat } = scripted(answers);
      chat.send('one');
      at(2, () => chat.send('two'));
      expectSubscriptions(answers).toBe('^-!', '--^-!');
      at(9, () => expect(shown(chat)).toEqual(['user sent: one', 'assistant stopped: x', 'user sent: two', 'assistant done: y']));
    });
  });

  it('waits with `concat`, and is shown while it waits', () => {
    runMarbles(({ model, at, expectSubscriptions }) => {
      const answers = model(['-x---|', '-y|']);
      const { chat } = scripted(answers, {}, { flatten: 'concat' });
      chat.send('one');
      at(2, () => {
        chat.send('two');
        expect(shown(chat)).toEqual(['user sent: one', 'assistant streaming: x', 'user queued: two']);
      });
      expectSubscriptions(answers).toBe('^----!', '-----^-!');
      at(9, () => expect(shown(chat)).toEqual(['user sent: one', 'assistant done: x', 'user sent: two', 'assistant done: y']));
    });
  });

  it('that waits is not asked when the chat is stopped, and what comes later is', () => {
    runMarbles(({ model, at, expectSubscriptions }) => {
      const answers = model(['-x---|', '-y|']);
      const { chat } = scripted(answers, {}, { flatten: 'concat' });
      chat.send('one');
      chat.send('two');
      at(2, () => chat.stop());
      at(4, () => chat.send('three'));
      expectSubscriptions(answers).toBe('^-!', '----^-!');
      at(9, () =>
        expect(shown(chat)).toEqual([
          'user sent: one',
          'assistant stopped: x',
          'user unsent: two',
          'user sent: three',
          'assistant done: y',
        ]),
      );
    });
  });

  it('is not asked with `exhaust`', () => {
    runMarbles(({ model, at, expectSubscriptions }) => {
      const answers = model(['-x---|', '-y|']);
      const { chat } = scripted(answers, {}, { flatten: 'exhaust' });
      chat.send('one');
      at(2, () => chat.send('two'));
      at(7, () => chat.send('three'));
      expectSubscriptions(answers).toBe('^----!', '-------^-!');
      at(12, () => expect(shown(chat).filter((line) => line.startsWith('user'))).toEqual(['user sent: one', 'user sent: three']));
    });
  });

  it('may come from one who watches the first', () => {
    const { chat } = scripted([['x'], ['y']], {}, { flatten: 'concat' });
    let hasAsked = false;
    watch(chat.status$, (status) => {
      if (status !== 'idle' || hasAsked || chat.messages().length === 0) return;
      hasAsked = true;
      chat.send('two');
    });
    chat.send('one');
    expect(shown(chat)).toEqual(['user sent: one', 'assistant done: x', 'user sent: two', 'assistant done: y']);
  });
});

describe('what is sent', () => {
  it('may be a signal: each of its values is asked, but for undefined', () => {
    const { chat } = scripted([['x'], ['y']]);
    const question = signal<string | undefined>(undefined);
    const asking = chat.send(question);
    TestBed.tick();
    expect(shown(chat)).toEqual([]);
    question.set('one');
    TestBed.tick();
    asking.unsubscribe();
    question.set('two');
    TestBed.tick();
    expect(shown(chat)).toEqual(['user sent: one', 'assistant done: x']);
  });

  it('may be an Observable, until the chat is destroyed', () => {
    const questions = new Subject<string>();
    const { chat, destroy } = scripted([['x'], ['y']]);
    chat.send(questions);
    questions.next('one');
    expect(shown(chat)).toEqual(['user sent: one', 'assistant done: x']);
    destroy();
    expect(questions.observed).toBe(false);
  });

  it('is not asked while it is blank', () => {
    const script = scriptedModel([['x']]);
    const { chat } = scripted(script);
    for (const blank of ['', '  \n', []]) chat.send(blank);
    chat.send(signal(''));
    TestBed.tick();
    expect([shown(chat), script.requests]).toEqual([[], []]);
  });

  it('may fail to come, and the chat says so', () => {
    const questions = new Subject<string>();
    const { chat } = scripted([['x']]);
    chat.send(questions);
    questions.error(new Error('no microphone'));
    expect([chat.status(), chat.error()?.message]).toEqual(['error', 'no microphone']);
    // There is nothing to try again, and the error need not stay.
    expect([chat.retry(), chat.status(), chat.error()]).toEqual([false, 'idle', undefined]);
  });

  it('may be contents, and what is shown says where media are', () => {
    const { chat } = scripted([['A cat.']]);
    chat.send([
      { type: 'text', text: 'What is this?' },
      { type: 'image', url: 'https://example.org/cat.png' },
    ]);
    expect(shown(chat)[0]).toBe('user sent: What is this?\n[image]');
  });

  it('goes with parameters, a model and request settings as they are at that time', () => {
    const seen: unknown[] = [];
    const whoami = tool({ name: 'a', execute: (_, { parameters }: ToolContext) => void seen.push(parameters.get('user')) });
    const script = () => scriptedModel([[{ call: 'a' }], ['Done.']]);
    const [first, second] = [script(), script()];
    const user = signal('Ada');
    const model = new Subject<ChatModel>();
    const { chat } = scripted(
      first,
      { tools: [whoami] },
      {
        parameters: computed(() => ({ user: user() })),
        model,
        chatRequest: of({ temperature: 0 }),
      },
    );
    chat.send('one');
    user.set('Bob');
    model.next(second);
    chat.send('two', { chatRequest: { temperature: 1 } });
    expect(seen).toEqual(['Ada', 'Bob']);
    expect([first, second].map(({ requests }) => requests.map(({ temperature }) => temperature))).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  it('is begun at once in virtual time, whatever the tools return', () => {
    runMarbles(({ model, record }) => {
      const later = tool({ name: 'a', execute: () => timer(3).pipe(map(() => 'r')) });
      const { chat } = scripted(model(['-A|', '-z|']), { tools: [later] });
      record(chat.toolCalls$, (calls) => calls.map(({ status }) => status[0]!).join('') || '0').toBe('0(wr)--(rd)');
      chat.send('Go');
    });
  });
});
