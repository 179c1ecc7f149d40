import { Subject, take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ChatModelError } from '../../src/chat/chat-model-error.ts';
import type { ChatModelEvent } from '../../src/chat/chat-model.ts';
import type { Turn } from '../../src/provider/turn.ts';
import { sseFraming } from '../../src/provider/sse.ts';
import { wireEvents, type WireEvent } from '../../src/provider/wire-events.ts';
import type { Wire, WireReader } from '../../src/provider/wire.ts';
import { gathered } from './openai/answers.ts';

/** An event of the wire that these tests speak. */
interface Said {
  readonly text?: string;
  readonly finish?: 'stop' | 'length';
  readonly last?: boolean;
  readonly trouble?: unknown;
}

/** A reader of it that holds back an `_` at the end. */
function reader(turn: Turn): WireReader {
  let held = '';
  return {
    read({ text, finish, last }: Said) {
      if (text) turn.text(text);
      if (text?.endsWith('_')) held = 'held';
      if (finish) turn.finished(finish);
      return last ?? false;
    },
    failureIn: ({ trouble }: Said) => trouble,
    end() {
      if (held) turn.text(held);
    },
  };
}

const wire: Wire = {
  provider: 'acme',
  api: 'Acme API',
  framing: sseFraming,
  lastEvent: 'the last event',
  headers: () => ({}),
  path: () => '/',
  body: () => '{}',
  toolName: (name) => name,
  reader,
};

type Data = Said | object | string;

const eventOf = (data: Data, event?: string): WireEvent => ({
  event,
  data: typeof data === 'string' ? data : JSON.stringify(data),
});

function played(events: readonly WireEvent[], failure?: Error, spoken = wire) {
  const values: ChatModelEvent[] = [];
  const result = { values, error: undefined as unknown, isComplete: false, dones: 0 };
  const source = new Subject<WireEvent>();
  const options = {
    idGenerator: () => 'id',
    redact: (text: string) => text.replaceAll('sk-secret', '[redacted]'),
    onDone: () => void result.dones++,
  };
  source.pipe(wireEvents(spoken, options)).subscribe({
    next: (event) => values.push(event),
    error: (error: unknown) => {
      result.error = error;
    },
    complete: () => {
      result.isComplete = true;
    },
  });
  for (const event of events) source.next(event);
  if (failure === undefined) source.complete();
  else source.error(failure);
  return result;
}

const playedData = (...data: readonly Data[]) => played(data.map((item) => eventOf(item)));

/** The text of the answer; `undefined` where none was handed over. */
const answerOf = ({ values }: ReturnType<typeof played>) => {
  const last = values.at(-1);
  return last?.type === 'completeResponse' ? last.response.aiMessage.text : undefined;
};

const errorOf = (result: ReturnType<typeof played>): ChatModelError => {
  expect(result.error).toBeInstanceOf(ChatModelError);
  expect(answerOf(result)).toBeUndefined();
  expect(result.dones).toBe(0);
  return result.error as ChatModelError;
};

describe('wireEvents', () => {
  it.each<[string, readonly Data[]]>([
    ['the last event of the turn', [{ text: 'a', finish: 'stop', last: true }]],
    ['[DONE]', [{ text: 'a' }, ' [DONE]\n']],
    ['the end of a body with a finish word', [{ text: 'a' }, { finish: 'stop' }]],
  ])('hands over the answer at %s', (_, data) => {
    const result = playedData(...data);
    expect(answerOf(result)).toBe('a');
    expect(result).toMatchObject({ isComplete: true, dones: 1, error: undefined });
  });

  it('reads nothing behind the end of the turn', () => {
    const result = playedData({ text: 'a', finish: 'stop', last: true }, { text: 'b' }, { error: 'late' }, 'no JSON', '[DONE]');
    expect(result).toMatchObject({ isComplete: true, dones: 1, error: undefined });
    expect(answerOf(result)).toBe('a');
  });

  it('lets the reader tell what it held back before the answer', () => {
    const { values } = playedData({ text: 'a_' }, '[DONE]');
    expect(values).toMatchObject([{ text: 'a_' }, { text: 'held' }, { response: { aiMessage: { text: 'a_held' } } }]);
  });

  it('passes over data without content', () => {
    expect(answerOf(playedData('', '  ', 'null', ' null ', { text: 'a' }, ' {"finish":"stop"} '))).toBe('a');
  });

  it('fails when the stream ends before the turn does', () => {
    for (const data of [[], [{ text: 'a' }]]) {
      const error = errorOf(playedData(...data));
      expect(error).toMatchObject({ kind: 'interrupted', retryable: true });
      expect(error.message).toBe('acme: the stream ended before the last event');
    }
  });

  it.each<[string, WireEvent]>([
    ['an object', eventOf({ error: { message: 'too hot', type: 'overloaded_error' } })],
    ['a text', eventOf({ error: 'too hot' })],
    ['a list', eventOf([{ error: { message: 'too hot' } }])],
    ['an object of type error', eventOf({ type: 'error', message: 'too hot' })],
    ['an error object', eventOf({ object: 'error', message: 'too hot' })],
    ['an event named error', eventOf({ message: 'too hot' }, 'error')],
    ['an event named error that is text', eventOf('too hot', 'error')],
    ["the wire's own words", eventOf({ trouble: { message: 'too hot' } })],
  ])('fails with what the provider says, be it %s', (_, event) => {
    const error = errorOf(played([eventOf({ text: 'a' }), event, eventOf({ finish: 'stop', last: true })]));
    expect(error.message).toMatch(/^acme: too hot/);
  });

  it('fails with a provider that says that it failed, and not how', () => {
    expect(errorOf(playedData({ trouble: 1 })).message).toBe('acme: an error without words');
  });

  it.each<[string, Data]>([
    ['an error', { error: { message: 'the key sk-secret is wrong' } }],
    ['a broken event', 'sk-secret is no JSON'],
  ])('takes secrets out of %s', (_, data) => {
    const { message } = errorOf(playedData(data, { text: 'a' }));
    expect(message).toContain('[redacted]');
    expect(message).not.toContain('sk-secret');
  });

  it.each(['{"te', 'x', '"text"', '1', 'true'])(
    'fails on %s with something behind it, and quotes no more than its beginning',
    (data) => {
      const error = errorOf(playedData(data, { text: 'a' }));
      expect(error).toMatchObject({ kind: 'malformedResponse', retryable: true });
      expect(error.message).toBe(`acme: an event of the stream is no JSON object: ${data}`);
      expect(errorOf(playedData(data + 'x'.repeat(1000), { text: 'a' })).message.length).toBeLessThan(300);
    },
  );

  it('takes a broken event with nothing behind it as one that was cut off', () => {
    expect(errorOf(playedData({ text: 'a' }, '{"te')).kind).toBe('interrupted');
    expect(answerOf(playedData({ text: 'a', finish: 'stop' }, '{"usa'))).toBe('a');
  });

  it.each(['error: engine died', 'upstream connect error', '"gone"'])(
    'tells the words %s with which a stream broke off',
    (words) => {
      expect(errorOf(playedData({ text: 'a' }, words))).toMatchObject({
        message: `acme: the stream ended before the last event; its last words: ${words}`,
        kind: 'interrupted',
        retryable: true,
      });
      expect(errorOf(playedData(`${words} sk-secret`)).message).toContain('[redacted]');
      expect(errorOf(playedData(words + 'x'.repeat(1000))).message.length).toBeLessThan(300);
      expect(answerOf(playedData({ text: 'a', finish: 'stop' }, words))).toBe('a');
    },
  );

  it.each(['{"te', '[DON', '[{"a'])('takes %s at the end as half an event, which says nothing', (half) => {
    expect(errorOf(playedData({ text: 'a' }, half)).message).toBe('acme: the stream ended before the last event');
  });

  it('makes a typed error of an event that its reader stumbles over', () => {
    const cause = new TypeError('x is not iterable');
    const stumbling: WireReader = {
      read() {
        throw cause;
      },
    };
    const error = errorOf(played([eventOf({ text: 'a' })], undefined, { ...wire, reader: () => stumbling }));
    expect(error).toMatchObject({ kind: 'malformedResponse', retryable: true, cause });
  });

  it('passes the error of a broken connection on, and hands over no answer', () => {
    const lost = new Error('lost');
    const result = played([eventOf({ text: 'a_' }), eventOf({ finish: 'stop' })], lost);
    expect(result).toMatchObject({ error: lost, dones: 0 });
    expect(result.values).toMatchObject([{ type: 'partialResponse', text: 'a_' }]);
  });

  it('stops its source when the consumer leaves', () => {
    const source = new Subject<WireEvent>();
    const options = { idGenerator: () => 'id', redact: (text: string) => text, onDone: () => undefined };
    const running = gathered(source.pipe(wireEvents(wire, options), take(1)));
    source.next(eventOf({ text: 'a' }));
    expect(source.observed).toBe(false);
    expect(running.values).toEqual([{ type: 'partialResponse', text: 'a' }]);
  });
});
