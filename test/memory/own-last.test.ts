import { concatMap, forkJoin, retry, throwError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { AiMessage, ChatMessage, ToolExecutionRequest } from '../../src/chat/message.ts';
import type { ChatMemory } from '../../src/memory/chat-memory.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { ownLast } from '../../src/memory/own-last.ts';
import { aiService } from '../../src/service/ai-service.ts';
import type { ContentRetriever } from '../../src/service/retrieval/content-retriever.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { undoLog } from '../service/undo-log.ts';
import { expectValid, kept, outline, play, roomyMemory } from '../service/support.ts';
import { answer, unit, user } from './histories.ts';

const tools = () => [scriptedTool('a', '(r|)'), scriptedTool('b', '(s|)')];

interface Others {
  readonly rounds?: readonly string[];
  readonly questions?: readonly string[];
  readonly contentRetriever?: ContentRetriever;
}

/** An invocation that fails behind a round of tools, and goes on when others have had their turns on the memory. */
function interrupted(chatMemory: ChatMemory, { rounds = ['B|', 'y|'], questions = ['and I?'], contentRetriever }: Others = {}) {
  const other = aiService({ model: scriptedModel(rounds), tools: [...tools(), scriptedTool('c', '(t|)')], chatMemory });
  const between = () => timer(3).pipe(concatMap(() => forkJoin(questions.map((question) => other.result(question)))));
  const { model, history } = play({
    rounds: ['A|', '#', 'z|'],
    tools: tools(),
    chatMemory,
    ...(contentRetriever && { contentRetriever, storeRetrievedContentInChatMemory: false }),
    pipe: retry({ count: 1, delay: between }),
  });
  return { history, requests: model.requests.map(({ messages }) => messages) };
}

/** Fails when something is first added: when it is kept, or before. */
function failingOnce(memory: ChatMemory, when: 'after' | 'before' = 'after'): ChatMemory {
  let hasFailed = false;
  return {
    ...memory,
    add(messages) {
      const added = hasFailed || when === 'after' ? memory.add(messages) : undefined;
      if (hasFailed) return added;
      hasFailed = true;
      return throwError(() => new Error('out of order'));
    },
  };
}

describe('an invocation that goes on after another one has used its memory', () => {
  const own = ['user: hello', 'assistant: [A]', 'A: r'];
  const others = ['user: and I?', 'assistant: [B]', 'B: s', 'assistant: y'];

  it('is asked its own question last, as the others have their answer', () => {
    const { requests, history } = interrupted(roomyMemory());
    expect(outline(requests.at(-1)!)).toEqual([...others, ...own]);
    expect(history).toEqual([...own, ...others, 'assistant: z']);
  });

  it('is asked it also where the window has let go of it', () => {
    const { requests, history } = interrupted(messageWindowMemory({ maxMessages: 4 }));
    expect(outline(requests.at(-1)!)).toEqual(['assistant: y', ...own]);
    expect(history).toEqual(['user: and I?', 'assistant: y', 'assistant: z']);
  });

  it('takes no results from the calls of others that have the ids of its own', () => {
    const rounds = ['B|', 'y|', '(AC)|', 'x|'];
    const { requests } = interrupted(messageWindowMemory({ maxMessages: 7 }), { rounds, questions: ['and I?', 'and we?'] });
    for (const messages of requests) expectValid(messages, 3);
    expect(outline(requests.at(-1)!).slice(-3)).toEqual(own);
  });

  it.each([
    ['of another tool', { name: 'b' }],
    ['with other arguments', { arguments: '{"of":"others"}' }],
  ])('takes no call for its own that has its id, and is one %s', (_, unlike) => {
    const [request, result] = unit('A') as [AiMessage, ChatMessage];
    const [call] = request.toolExecutionRequests as [ToolExecutionRequest];
    const others = [user('and I?'), { ...request, toolExecutionRequests: [{ ...call, ...unlike }] }, result];
    const own = [user('hello'), request, result];
    expect(ownLast(others, { own, kept: own[0]!, calls: new Map([[call.id, call]]) })).toEqual([...others, ...own]);
  });

  const [hello, andI, y] = [user('hello'), user('and I?'), answer('y')];
  it.each<[what: string, known: readonly ChatMessage[], others: readonly ChatMessage[]]>([
    ['stand behind what others have said', [hello, ...unit('A'), andI, y, ...unit('B')], [andI, y]],
    ['stand behind the question of others, since the window has let go of its own', [andI, ...unit('B')], [andI]],
    ['have no question before them, since the window has let go of it', unit('B'), []],
  ])('is asked its own question last, going on once more, also where its last rounds %s', (_, known, others) => {
    const rounds = [...unit('A'), ...unit('B')];
    const calls = rounds.flatMap((message) => (message.role === 'assistant' ? message.toolExecutionRequests : []));
    const own = [hello, ...rounds];
    const said = { own, kept: hello, calls: new Map(calls.map((call) => [call.id, call])) };
    expect(outline(ownLast(known, said))).toEqual(outline([...others, ...own]));
  });

  it('is not kept twice where its memory has kept it all the same', () => {
    const chatMemory = roomyMemory();
    const memory = failingOnce(chatMemory);
    const other = aiService({ model: scriptedModel(['y|']), chatMemory });
    const between = () => timer(3).pipe(concatMap(() => other.result('and I?')));
    play({ rounds: ['z|'], chatMemory: memory, pipe: retry({ count: 1, delay: between }) });
    expect(outline(kept(chatMemory))).toEqual(['user: hello', 'assistant: z', 'user: and I?', 'assistant: y']);
  });

  it('is not kept twice either where its answer says nothing', () => {
    const chatMemory = roomyMemory();
    const other = aiService({ model: scriptedModel(['y|']), chatMemory });
    const between = () => timer(3).pipe(concatMap(() => other.result('and I?')));
    play({ rounds: ['|'], chatMemory: failingOnce(chatMemory), pipe: retry({ count: 1, delay: between }) });
    expect(outline(kept(chatMemory))).toEqual(['user: hello', 'user: and I?', 'assistant: y']);
  });

  it('has calls of its own, though others have used their ids while its memory failed', () => {
    const chatMemory = roomyMemory();
    const log = undoLog();
    const other = aiService({ model: scriptedModel(['A|', 'y|']), tools: tools(), chatMemory });
    const between = () => timer(3).pipe(concatMap(() => other.result('and I?')));
    const { model, error } = play({
      rounds: ['A|', 'z|'],
      tools: [log.undoable('a', '(r|)')],
      compensateOnToolErrors: true,
      chatMemory: failingOnce(chatMemory, 'before'),
      idGenerator: () => 'G',
      pipe: retry({ count: 1, delay: between }),
    });
    expect(error).toBeUndefined();
    const [, request] = model.requests;
    expectValid(request!.messages, 2);
    expectValid(kept(chatMemory), 2);
    expect(outline(request!.messages).filter((line) => line.startsWith('A'))).toEqual([
      'A: r',
      expect.stringMatching(/^A-2! a had succeeded, but it was rolled back/),
    ]);
  });

  it('tells what was retrieved with its own question, and not with that of the other', () => {
    const { requests } = interrupted(roomyMemory(), { contentRetriever: () => [{ type: 'text', text: 'found' }] });
    const asked = requests.at(-1)!.filter(({ role }) => role === 'user');
    expect(outline(asked)[0]).toBe('user: and I?');
    expect(outline(asked)[1]).toContain('found');
    for (const messages of requests) expectValid(messages, 2);
  });
});
