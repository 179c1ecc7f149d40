import fc from 'fast-check';
import { Observable, asyncScheduler } from 'rxjs';
import { expect, it } from 'vitest';
import type { ChatModel, ChatModelEvent } from '../../../src/chat/chat-model.ts';
import { ChatModelError, type ChatModelErrorDetails } from '../../../src/chat/chat-model-error.ts';
import type { ChatRequest } from '../../../src/chat/chat-request.ts';
import { cassetteText } from '../../../src/testing/cassette/cassette-text.ts';
import { cassetteModel } from '../../../src/testing/cassette/cassette-model.ts';
import { parseCassette } from '../../../src/testing/cassette/parse-cassette.ts';
import { recordCassette } from '../../../src/testing/cassette/record-cassette.ts';
import { errorKinds } from '../../../src/testing/cassette/taped-error.ts';
import { anyMessages } from '../../chat/arbitrary-messages.ts';
import { play } from './support.ts';

const count = fc.nat(5);
const call = fc.record({ id: fc.string(), name: fc.string(), arguments: fc.string() });
// JSON has no -0.
const json = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));
const attributes = fc.dictionary(fc.string(), json, { noNullPrototype: true });

const chatModelError = fc
  .record(
    {
      kind: fc.constantFrom(...errorKinds),
      provider: fc.string(),
      retryable: fc.boolean(),
      status: fc.nat(599),
      requestId: fc.string(),
      retryAfter: fc.nat(),
    },
    { requiredKeys: ['kind', 'provider', 'retryable'] },
  )
  .chain((details) => fc.string().map((message) => new ChatModelError(message, details as ChatModelErrorDetails)));

const anyError: fc.Arbitrary<unknown> = fc.oneof(
  chatModelError,
  fc.string().map((message) => new Error(message)),
  fc.string().map((message) => Object.defineProperty(new Error(message), 'name', { value: 'OddError' })),
  json,
);

const response = fc.record({
  aiMessage: fc.record(
    {
      role: fc.constant('assistant' as const),
      text: fc.option(fc.string()),
      thinking: fc.string(),
      toolExecutionRequests: fc.array(call, { maxLength: 2 }),
      attributes,
    },
    { requiredKeys: ['role', 'text', 'toolExecutionRequests'] },
  ),
  finishReason: fc.constantFrom('stop', 'length', 'toolExecution'),
  tokenUsage: fc.record({ inputTokens: count }, { requiredKeys: [] }),
});

/** As plain objects, since JSON has no others. */
const plain = (event: ChatModelEvent): ChatModelEvent => (event.type === 'retry' ? { ...event } : structuredClone(event));

const anyEvent = (
  fc.oneof(
    fc.record({ type: fc.constantFrom('partialThinking', 'partialResponse'), text: fc.string({ unit: 'grapheme' }) }),
    fc.record({
      type: fc.constant('partialToolCall'),
      index: count,
      id: fc.string(),
      name: fc.string(),
      partialArguments: fc.string(),
    }),
    fc.record(
      { type: fc.constant('completeToolCall'), index: count, request: call, attributes },
      { requiredKeys: ['type', 'index', 'request'] },
    ),
    fc.record({ type: fc.constant('retry'), attempt: count, delay: fc.nat(), error: chatModelError }),
    fc.record({ type: fc.constant('raw'), event: json }),
    fc.record({ type: fc.constant('completeResponse'), response }),
  ) as fc.Arbitrary<ChatModelEvent>
).map(plain);

/** An answer: what comes how many ms after what came before, and how it ends. */
const anyAnswer = fc.record({
  events: fc.array(fc.tuple(fc.nat(7), anyEvent), { maxLength: 8 }),
  rest: fc.nat(7),
  end: fc.oneof(fc.constant('complete' as const), fc.record({ error: anyError })),
});

/** Times that timers take only in parts are rare, but then two of them are in a tape. */
const farAnswer = anyAnswer.map((answer) => ({ ...answer, rest: 2 ** 31 + answer.rest }));

type Answer = typeof anyAnswer extends fc.Arbitrary<infer A> ? A : never;

const longestStep = 2 ** 30;

function told({ events, rest, end }: Answer): Observable<ChatModelEvent> {
  return new Observable((subscriber) => {
    const wait = (ms: number, work: () => void): void => {
      if (ms === 0) return work();
      const part = Math.min(ms, longestStep);
      subscriber.add(asyncScheduler.schedule(() => wait(ms - part, work), part));
    };
    const from = (place: number): void => {
      const step = events[place];
      if (step)
        return wait(step[0], () => {
          subscriber.next(step[1]);
          from(place + 1);
        });
      wait(rest, () => (end === 'complete' ? subscriber.complete() : subscriber.error(end.error)));
    };
    from(0);
  });
}

const anyRequest: fc.Arbitrary<ChatRequest> = fc.record(
  { messages: anyMessages, temperature: fc.nat(2), providerOptions: attributes },
  { requiredKeys: ['messages'] },
);

/** Each question with its answer, and when it is asked. */
const anyExchanges = fc.array(
  fc.record({ request: anyRequest, answer: fc.oneof({ weight: 9, arbitrary: anyAnswer }, farAnswer), at: fc.nat(9) }),
  {
    minLength: 1,
    maxLength: 4,
  },
);

it('survives record, JSON and replay, whatever was said when, frame by frame', () => {
  fc.assert(
    fc.property(anyExchanges, (exchanges) => {
      const model: ChatModel = {
        provider: 'any',
        chat: (request) => told(exchanges.find((one) => one.request === request)!.answer),
      };
      const all = (asked: ChatModel) =>
        play<ChatModelEvent>(...exchanges.map(({ request, at }) => [asked.chat(request), `${'-'.repeat(at)}^`] as const));
      const recording = recordCassette(model);
      const first = all(recording);
      const text = cassetteText(recording.cassette());
      const replaying = cassetteModel(parseCassette(text));
      expect(all(replaying)).toStrictEqual(first);
      expect(replaying.unused()).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

it('says in its text what it holds, and nothing else', () => {
  fc.assert(
    fc.property(anyExchanges, (exchanges) => {
      const recording = recordCassette({
        provider: 'any',
        chat: (request) => told(exchanges.find((one) => one.request === request)!.answer),
      });
      play<ChatModelEvent>(...exchanges.map(({ request }) => [recording.chat(request)] as const));
      const cassette = recording.cassette();
      expect(JSON.parse(cassetteText(cassette))).toEqual(JSON.parse(JSON.stringify(cassette)));
    }),
    { numRuns: 50 },
  );
});
