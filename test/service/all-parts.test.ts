import fc from 'fast-check';
import { delay, of, retry } from 'rxjs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { guardrail } from '../../src/chat/guardrail-result.ts';
import type { ChatRequest } from '../../src/chat/chat-request.ts';
import type { Value } from '../../src/chat/value.ts';
import type { ChatMemory } from '../../src/memory/chat-memory.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { keywordToolSearch } from '../../src/tool/search/keyword-tool-search.ts';
import { toolNamed } from '../tool/decision/support.ts';
import { answering } from './answering.ts';
import { expectValid, kept, outline, play, roomyMemory } from './support.ts';

const texts = ['{"city":"Oslo"}', 'rude', '{"city":7}'];

/** Answers as they come when nothing fails: tools, a refused answer, a misfit, and the one that holds. */
const answers = ['-S|', '-A|', '-1|', '-B|', '-2|', '-C|', '-0|'];
const calls = { S: { name: 'tool_search_tool', arguments: '{"terms":["a","b"]}' }, C: { name: 'a' } };

const memories = fc.constantFrom<'none' | 'roomy' | number>('none', 'roomy', 2, 3, 5, 8);

/** How an invocation is set up. */
const setups = fc.record({
  memory: memories,
  hasEarlierTurn: fc.boolean(),
  jsonSchema: fc.boolean(),
  keepsRetrieved: fc.boolean(),
  retrieves: fc.boolean(),
  rewrites: fc.boolean(),
  reprompts: fc.boolean(),
  searches: fc.boolean(),
  isDynamic: fc.boolean(),
});
type Setup = typeof setups extends fc.Arbitrary<infer S> ? S : never;

interface Course {
  /** Before which answers a request breaks. */
  readonly breaks?: readonly number[];
  /** Which writes to memory fail. */
  readonly unwritable?: readonly number[];
  /** How long each of the user's functions takes, in ms: 0 for at once. */
  readonly pace?: number;
  readonly subscription?: string;
}

function unwritableAt(memory: ChatMemory, failures: readonly number[]): ChatMemory {
  let writes = 0;
  const write = (what: () => Value<void>) => {
    if (failures.includes(++writes)) throw new Error('disk full');
    return what();
  };
  return {
    ...memory,
    add: (messages) => write(() => memory.add(messages)),
    set: (messages) => write(() => memory.set(messages)),
  };
}

function run(setup: Setup, { breaks = [], unwritable = [], pace = 0, subscription = '^' }: Course) {
  const paced = <T>(value: T) => (pace > 0 ? of(value).pipe(delay(pace)) : value);
  const chatMemory =
    setup.memory === 'none'
      ? undefined
      : setup.memory === 'roomy'
        ? roomyMemory()
        : messageWindowMemory({ maxMessages: setup.memory });
  if (chatMemory && setup.hasEarlierTurn) play({ rounds: ['-t|'], input: 'earlier', chatMemory });
  const scripted = setup.searches ? answers : answers.slice(1);
  const rounds = scripted.flatMap((answer, place) => [...breaks.filter((at) => at === place).map(() => '#'), answer]);
  const model = answering(rounds, texts, { jsonSchema: setup.jsonSchema, calls });
  const asked = { provider: 0, retriever: 0, guardrail: 0 };
  const provider = {
    isDynamic: setup.isDynamic,
    provideTools: () => {
      asked.provider++;
      return paced([tools.b]);
    },
  };
  const played = play({
    rounds: [],
    chatMemory: chatMemory && unwritableAt(chatMemory, unwritable),
    call: { model },
    tools: [tools.a],
    toolProviders: [provider],
    output: z.object({ city: z.string() }) as never,
    storeRetrievedContentInChatMemory: setup.keepsRetrieved,
    ...(setup.searches && { toolSearchStrategy: keywordToolSearch() }),
    ...(setup.retrieves && {
      contentRetriever: () => {
        asked.retriever++;
        return paced([{ type: 'text', text: 'a fact' } as const]);
      },
    }),
    inputGuardrails: [
      ({ text }) => {
        asked.guardrail++;
        return paced(setup.rewrites ? guardrail.rewrite(`mild ${text}`) : guardrail.success());
      },
    ],
    outputGuardrails: [
      ({ text }) => {
        if (text !== 'rude') return paced(guardrail.success());
        return paced(setup.reprompts ? guardrail.reprompt('rude', 'Be kind.') : guardrail.retry('rude'));
      },
    ],
    subscription,
    pipe: retry(breaks.length + unwritable.length),
  });
  return { played, model, asked, memory: chatMemory };
}

const placeOfAnswer = fc.integer({ min: 0, max: answers.length - 1 });
const unwritables = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 3 });
const tools = { a: toolNamed('a'), b: toolNamed('b') };
const shown = ({ messages, ...request }: ChatRequest) => ({ ...request, messages: outline(messages) });
const withoutRepeats = (requests: readonly unknown[]) => {
  const texts = requests.map((request) => JSON.stringify(request));
  return texts.filter((text, place) => text !== texts[place - 1]);
};
const finalOf = (values: readonly AiServiceStreamingEvent[]) => {
  const last = values.at(-1);
  return last?.type === 'finalResponse' && last.content;
};

it(
  'a retried stream sends what one that does not break sends, and comes to the same memory and answer, whatever is set',
  { timeout: 120_000 },
  () => {
    fc.assert(
      fc.property(setups, fc.array(placeOfAnswer, { maxLength: 5 }), unwritables, (setup, breaks, unwritable) => {
        const places = breaks.filter((place) => place < answers.length - (setup.searches ? 0 : 1));
        const whole = run(setup, {});
        const broken = run(setup, { breaks: places, unwritable });
        expect(finalOf(whole.played.values)).toEqual({ city: 'Oslo' });
        expect(finalOf(broken.played.values)).toEqual({ city: 'Oslo' });
        expect(broken.model.requests).toHaveLength(whole.model.requests.length + places.length);
        expect(withoutRepeats(broken.model.requests.map(shown))).toEqual(withoutRepeats(whole.model.requests.map(shown)));
        expect(broken.played.history).toEqual(whole.played.history);
        if (broken.memory) expectValid(kept(broken.memory), 2);
        expect({ ...broken.asked, provider: 0 }).toEqual({ ...whole.asked, provider: 0 });
        if (!setup.isDynamic) expect(broken.asked.provider).toBe(1);
        const events = (values: readonly AiServiceStreamingEvent[]) => values.map(({ type }) => type);
        expect(events(broken.played.values)).toEqual(events(whole.played.values));
      }),
      { numRuns: 60 },
    );
  },
);

it(
  'a stream that is left, whenever that is, ends once, stops what runs, and keeps no answer that was refused',
  { timeout: 120_000 },
  () => {
    fc.assert(
      fc.property(setups, fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 2 }), (setup, frame, pace) => {
        const { played, model, memory } = run(setup, { pace, subscription: `^${'-'.repeat(frame)}!` });
        const ends = played.firedTypes.filter((type) => ['completed', 'error', 'cancelled'].includes(type));
        expect(ends).toEqual([finalOf(played.values) ? 'completed' : 'cancelled']);
        expect(played.error).toBeUndefined();
        for (const span of model.subscriptions()) expect(span).toMatch(/!\)?$/);
        if (!memory) return;
        const messages = kept(memory);
        expectValid(messages, 2);
        expect(JSON.stringify(messages)).not.toMatch(/rude|"city\\":7|Be kind|JSON Schema/);
      }),
      { numRuns: 120 },
    );
  },
);
