import { NEVER, delay, of, retry, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import type { Content } from '../../src/chat/content.ts';
import type { UserMessage } from '../../src/chat/message.ts';
import { AiServiceStartedEvent } from '../../src/event/lifecycle-events.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import type { ContentRetriever, RetrievalQuery } from '../../src/service/retrieval/content-retriever.ts';
import { LimitExceededError } from '../../src/service/service-errors.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { drawSpan, logged, type SubscriptionSpan } from '../../src/testing/subscription-log.ts';
import { tool } from '../../src/tool/tool.ts';
import { watch } from '../chat/watch.ts';
import { kept, outline, play, roomyMemory, type Played } from './support.ts';

const fact: Content = { type: 'text', text: 'Oslo has 700,000 inhabitants.' };
const map: Content = { type: 'image', url: 'https://example.org/oslo.png' };
const found = () => [fact];
const question: UserMessage = { role: 'user', contents: [{ type: 'text', text: 'hello' }] };
const a = () => scriptedTool('a', '-r|');

const questionsOf = ({ model }: Played) => model.requests.map(({ messages }) => messages.filter(({ role }) => role === 'user'));
const hasFact = (message: unknown) => JSON.stringify(message).includes('700,000');

/** A retriever that keeps what it is asked. */
function retriever(find: (call: number) => ReturnType<ContentRetriever> = found) {
  const queries: RetrievalQuery[] = [];
  const finding: ContentRetriever = (query) => {
    queries.push(query);
    return find(queries.length);
  };
  return Object.assign(finding, { queries });
}

describe('what a retriever finds', () => {
  it('[S26] is told first and once, before any round', () => {
    const played = play({ rounds: ['-tA|', '-z|'], tools: [a()], contentRetriever: () => [fact, map] });
    expect(played.marbles).toBe('=t(A<a)(*a%)>az($|)');
    expect(played.values[0]).toMatchObject({ type: 'retrievedContents', contents: [fact, map], round: 0 });
    expect(played.values.filter(({ type }) => type === 'retrievedContents')).toHaveLength(1);
  });

  it("stands behind the question in every request, in the user's own message", () => {
    const played = play({ rounds: ['-A|', '-z|'], tools: [a()], contentRetriever: () => [fact, map] });
    expect(questionsOf(played)).toHaveLength(2);
    for (const [message, ...more] of questionsOf(played)) {
      expect(more).toEqual([]);
      const { contents } = message as UserMessage;
      expect(contents[0]).toEqual({ type: 'text', text: 'hello' });
      expect(hasFact(contents[1])).toBe(true);
      expect(contents[2]).toEqual(map);
    }
  });

  it.each([[[]], [null], [undefined]])('is not told where it is nothing: %j', (nothing) => {
    const played = play({ rounds: ['-t|'], contentRetriever: () => nothing });
    expect(played.marbles).toBe('-t($|)');
    expect(questionsOf(played)).toEqual([[question]]);
  });

  it('is in the result, and in that of the Completed event', () => {
    const service = aiService({ model: scriptedModel(['(t|)']), contentRetriever: () => [fact, map] });
    expect(watch(service.result('hello')).values).toMatchObject([{ content: 't', sources: [fact, map] }]);
    const played = play({ rounds: ['-t|'], contentRetriever: found });
    expect(played.fired.at(-1)).toMatchObject({ type: 'completed', result: { sources: [fact] } });
  });

  it('is an empty list in the result of a service that retrieves nothing', () => {
    const service = aiService({ model: scriptedModel(['(t|)']) });
    expect(watch(service.result('hello')).values).toMatchObject([{ sources: [] }]);
  });

  it('is told to a token stream, to late subscribers of start(), and not to text()', () => {
    const service = (model = scriptedModel(['(t|)'])) => aiService({ model, contentRetriever: found });
    const told: unknown[] = [];
    service()
      .tokenStream('hello')
      .onRetrieved((contents) => told.push(contents))
      .onPartialResponse((text) => told.push(text))
      .onError((error) => told.push(error))
      .start();
    expect(told).toEqual([[fact], 't']);
    expect(watch(service().start('hello').events$).values[0]).toMatchObject({ type: 'retrievedContents', contents: [fact] });
    expect(watch(service().text('hello')).values).toEqual(['t']);
  });

  it('is what the model is told of: tools and those who look on know both messages', () => {
    const contexts: unknown[] = [];
    const reading = tool({ name: 'a', execute: (_, { invocation }) => void contexts.push(invocation) });
    const played = play({ rounds: ['A|', 'z|'], tools: [reading], contentRetriever: found });
    const { invocation } = played.values[0]!;
    expect(contexts[0]).toBe(invocation);
    expect(hasFact(invocation.userMessage)).toBe(true);
    expect(invocation.originalUserMessage).toEqual(question);
    const started = played.fired.find((event) => event instanceof AiServiceStartedEvent);
    expect(started!.userMessage).toEqual(question);
  });

  it('may be waited for: the first request comes behind it, and the event when it is there', () => {
    expect(play({ rounds: ['-t|'], contentRetriever: () => of([fact]).pipe(delay(3)) }).marbles).toBe('---=t($|)');
  });

  it('[S55] may come as a promise', async () => {
    const service = aiService({ model: scriptedModel(['(t|)']), contentRetriever: () => Promise.resolve([fact]) });
    const result = await new Promise((resolve, reject) => service.result('hello').subscribe({ next: resolve, error: reject }));
    expect(result).toMatchObject({ content: 't', sources: [fact] });
  });
});

describe('a retriever', () => {
  it("is asked once, with the user's words, the history and the invocation", () => {
    const own = retriever();
    const chatMemory = roomyMemory();
    play({ rounds: ['-t|'], chatMemory });
    const played = play({ rounds: ['A|', 'z|'], tools: [a()], chatMemory, contentRetriever: own, systemMessage: 'be kind' });
    expect(own.queries).toHaveLength(1);
    const { text, userMessage, messages, invocation } = own.queries[0]!;
    expect([text, userMessage]).toEqual(['hello', question]);
    expect(outline(messages)).toEqual(['system: be kind', 'user: hello', 'assistant: t']);
    expect(invocation).toBe(played.values[0]!.invocation);
  });

  it('is not asked about a message without text', () => {
    const own = retriever();
    expect(play({ rounds: ['-t|'], input: [map], contentRetriever: own }).marbles).toBe('-t($|)');
    expect(own.queries).toEqual([]);
  });

  it('is not asked again when a failed invocation goes on, and the event does not come again; the model still gets what it found', () => {
    const own = retriever();
    const played = play({ rounds: ['A|', '#', '#', 'z|'], tools: [a()], contentRetriever: own, pipe: retry(2) });
    expect(own.queries).toHaveLength(1);
    expect(played.values.filter(({ type }) => type === 'retrievedContents')).toHaveLength(1);
    expect(questionsOf(played).map((messages) => messages.map(hasFact))).toEqual(Array.from({ length: 4 }, () => [true]));
    expect(played.fired.at(-1)).toMatchObject({ result: { sources: [fact] } });
  });

  it('that fails fails the invocation with its own error, and nothing is asked or written; a retry asks it again', () => {
    const down = new Error('index down');
    const flaky = () => retriever((call) => (call === 1 ? throwError(() => down) : [fact]));
    const failed = play({ rounds: [], contentRetriever: flaky() });
    expect(failed.marbles).toBe('#');
    expect(failed.error).toBe(down);
    expect(failed.firedTypes).toEqual(['started', 'error']);
    expect(failed.history).toEqual([]);
    expect(play({ rounds: ['-t|'], contentRetriever: flaky(), pipe: retry(1) }).marbles).toBe('=t($|)');
  });

  it('[S15] that never answers is left with the invocation: it is unsubscribed from, and nothing else happens', () => {
    const spans: SubscriptionSpan[] = [];
    const played = play({ rounds: [], contentRetriever: () => logged(NEVER, spans), subscription: '^---!' });
    expect(played.marbles).toBe('');
    expect(spans.map(drawSpan)).toEqual(['^---!']);
    expect(played.firedTypes).toEqual(['started', 'cancelled']);
    expect(played.model.requests).toEqual([]);
  });

  it('that never answers does not outlast the time of the invocation', () => {
    const played = play({ rounds: [], contentRetriever: () => NEVER, limits: { duration: 4 } });
    expect(played.marbles).toBe('----#');
    expect(played.error).toBeInstanceOf(LimitExceededError);
  });

  it.each([
    ['a text', 'Oslo', /what contentRetriever returned is "Oslo"/],
    ['documents of another library', [{ pageContent: 'Oslo' }], /what contentRetriever returned, at \[0\],/],
  ])('that gives %s fails the invocation with an error that says what it must be', (_, given, message) => {
    const played = play({ rounds: [], contentRetriever: () => given as never });
    expect(played.error).toBeInstanceOf(ConfigurationError);
    expect((played.error as Error).message).toMatch(message);
  });
});

describe('[S172] what was retrieved, in memory', () => {
  const twoRounds = { rounds: ['A|', 'B|', 'z|'], tools: [a(), scriptedTool('b', '-s|')], contentRetriever: found };
  const next = (chatMemory: Played['memory']) => questionsOf(play({ rounds: ['-u|'], input: 'and now?', chatMemory }))[0]!;

  it('is kept by default: the next invocation has it in its history', () => {
    for (const storeRetrievedContentInChatMemory of [undefined, true]) {
      const played = play({ ...twoRounds, ...(storeRetrievedContentInChatMemory && { storeRetrievedContentInChatMemory }) });
      expect(questionsOf(played).map((messages) => messages.map(hasFact))).toEqual([[true], [true], [true]]);
      expect(hasFact(kept(played.memory)[0])).toBe(true);
      expect(next(played.memory).map(hasFact)).toEqual([true, false]);
    }
  });

  it('is not kept where that is not wanted: the requests of the invocation have it, through two rounds, and memory has the message as it was', () => {
    const played = play({ ...twoRounds, storeRetrievedContentInChatMemory: false });
    expect(questionsOf(played).map((messages) => messages.map(hasFact))).toEqual([[true], [true], [true]]);
    expect(kept(played.memory)[0]).toEqual(question);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: [B]', 'B: s', 'assistant: z']);
    expect(next(played.memory).map(hasFact)).toEqual([false, false]);
  });

  it('is not kept where that is not wanted: when a failed invocation goes on, its requests still have it', () => {
    for (const chatMemory of [roomyMemory(), messageWindowMemory({ maxMessages: 3 }), undefined]) {
      const played = play({
        ...twoRounds,
        rounds: ['A|', '#', 'B|', '#', 'z|'],
        storeRetrievedContentInChatMemory: false,
        chatMemory,
        pipe: retry(2),
      });
      expect(questionsOf(played).map((messages) => messages.map(hasFact))).toEqual(Array.from({ length: 5 }, () => [true]));
      if (chatMemory) expect(kept(chatMemory)[0]).toEqual(question);
    }
  });

  it('is not kept where that is not wanted: an earlier question with the same words is not taken for this one', () => {
    const chatMemory = roomyMemory();
    play({ rounds: ['-t|'], chatMemory });
    const played = play({ ...twoRounds, storeRetrievedContentInChatMemory: false, chatMemory });
    expect(questionsOf(played).map((messages) => messages.map(hasFact))).toEqual(Array.from({ length: 3 }, () => [false, true]));
    expect(played.history.filter((line) => line === 'user: hello')).toHaveLength(2);
  });

  it('is not kept where that is not wanted: an earlier question stays what it was when an invocation goes on that has written nothing yet', () => {
    const chatMemory = roomyMemory();
    play({ rounds: ['-t|'], input: 'earlier', chatMemory });
    const played = play({
      ...twoRounds,
      rounds: ['#', 'A|', '#', 'z|'],
      storeRetrievedContentInChatMemory: false,
      chatMemory,
      pipe: retry(2),
    });
    for (const [earlier, own, ...more] of questionsOf(played)) {
      expect(outline([earlier!])).toEqual(['user: earlier']);
      expect([hasFact(own), more]).toEqual([true, []]);
    }
    expect(played.history).toEqual(['user: earlier', 'assistant: t', 'user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });

  it('is not kept where that is not wanted: also when the invocation is left behind a round of tools', () => {
    const played = play({ ...twoRounds, storeRetrievedContentInChatMemory: false, subscription: '^--!' });
    expect(kept(played.memory)[0]).toEqual(question);
    expect(played.history).toHaveLength(5);
  });
});

describe('a retrieval augmentor', () => {
  it('words the message itself; what it hands out is told and in the result', () => {
    const played = play({
      rounds: ['-t|'],
      retrievalAugmentor: ({ userMessage }) => ({
        userMessage: { role: 'user', contents: [fact, ...userMessage.contents] },
        contents: [fact],
      }),
    });
    expect(played.marbles).toBe('=t($|)');
    expect(questionsOf(played)[0]).toEqual([{ role: 'user', contents: [fact, ...question.contents] }]);
    expect(played.fired.at(-1)).toMatchObject({ result: { sources: [fact] } });
  });

  it('is asked about a message without text as well, on its own time', () => {
    const played = play({
      rounds: ['-t|'],
      input: [map],
      retrievalAugmentor: ({ userMessage }) => of({ userMessage, contents: [] }).pipe(delay(2)),
    });
    expect(played.marbles).toBe('---t($|)');
    expect(questionsOf(played)[0]).toEqual([{ role: 'user', contents: [map] }]);
  });

  it('[S172] has its message in memory, or the one that the user wrote, as the service says', () => {
    const retrievalAugmentor = () => ({ userMessage: { role: 'user', contents: [fact] } as const, contents: [fact] });
    expect(play({ rounds: ['-t|'], retrievalAugmentor }).history[0]).toBe(`user: ${fact.text}`);
    const original = play({ rounds: ['-t|'], retrievalAugmentor, storeRetrievedContentInChatMemory: false });
    expect(original.history[0]).toBe('user: hello');
  });

  it('that gives no message fails the invocation with an error that says what it must be', () => {
    const played = play({ rounds: [], retrievalAugmentor: () => [fact] as never });
    expect(played.error).toBeInstanceOf(ConfigurationError);
    expect((played.error as Error).message).toMatch(/what retrievalAugmentor returned.*\{ userMessage, contents \}/);
  });
});
