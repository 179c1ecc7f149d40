import { retry } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../src/chat/message.ts';
import { parseMessages } from '../../src/chat/parse-messages.ts';
import { fromTask } from '../../src/chat/value.ts';
import type { ChatMemory } from '../../src/memory/chat-memory.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import { watch } from '../chat/watch.ts';
import { expectValid, kept, neutral, outline, play, roomyMemory, type Script } from '../service/support.ts';
import { answer, calling, result, system, unit, user } from './histories.ts';

const tools = () => [scriptedTool('a', '-r|'), scriptedTool('b', '-----s|')];

function memoryWith(...messages: ChatMessage[]): ChatMemory {
  const memory = roomyMemory();
  watch(fromTask(() => memory.set(messages)));
  return memory;
}

const asked = (script: Script) => {
  const played = play(script);
  return { ...played, requests: played.model.requests.map(({ messages }) => outline(messages)) };
};

describe('what an invocation leaves in the memory', () => {
  it('[S14] is the question, the call with all its results, and the answer', () => {
    expect(play({ rounds: ['(AB)|', 'z|'], tools: tools() }).history).toEqual([
      'user: hello',
      'assistant: [A B]',
      'A: r',
      'B: s',
      'assistant: z',
    ]);
  });

  it('is what the next invocation goes on from', () => {
    const chatMemory = roomyMemory();
    play({ rounds: ['A|', 'z|'], tools: tools(), chatMemory });
    const { requests, history } = asked({ rounds: ['y|'], chatMemory, input: 'and now?' });
    expect(requests).toEqual([['user: hello', 'assistant: [A]', 'A: r', 'assistant: z', 'user: and now?']]);
    expect(history).toEqual([...requests[0]!, 'assistant: y']);
  });

  it('has each call under an id of its own, also where the memory shows less than it keeps and the model repeats its ids', () => {
    const chatMemory = roomyMemory();
    const forgetful: ChatMemory = { ...chatMemory, fit: (messages) => [messages[0]!, ...messages.slice(1).slice(-2)] };
    for (const input of ['one', 'two']) play({ rounds: ['A|', 'B|', 'A|', 'z|'], tools: tools(), chatMemory: forgetful, input });
    expectValid(kept(chatMemory), 2);
  });

  it.each<[end: string, script: Partial<Script>, history: readonly string[]]>([
    ['the first request fails', { rounds: ['-t#'] }, []],
    ['it is cancelled while the first answer streams', { rounds: ['-t---|'], subscription: '^--!' }, []],
    ['a later request fails', { rounds: ['A|', '-t#'] }, ['user: hello', 'assistant: [A]', 'A: r']],
    ['the turn fails beside a tool that has started', { rounds: ['-tA#'] }, ['user: hello', 'assistant: t [A]', 'A: r']],
    [
      'it is cancelled while one of two tools runs',
      { rounds: ['(AB)|'], subscription: '^---!' },
      ['user: hello', 'assistant: [A B]', 'A: r', `B! ${neutral}`],
    ],
    [
      'a tool fails',
      { rounds: ['(AC)|'], tools: [...tools(), scriptedTool('c', '-#')] },
      ['user: hello', 'assistant: [A C]', 'A: r', `C! ${neutral}`],
    ],
    [
      'a tool fails and the model is told',
      {
        rounds: ['C|', 'z|'],
        tools: [scriptedTool('c', '-#')],
        toolExecutionErrorHandler: toolExecutionErrorHandler.sendExceptionMessageToLlm(),
      },
      ['user: hello', 'assistant: [C]', 'C! c failed', 'assistant: z'],
    ],
    [
      'there is one round too many',
      { rounds: ['A|', 'A|'], maxToolCallingRoundTrips: 1 },
      ['user: hello', 'assistant: [A]', 'A: r'],
    ],
    [
      'the answer is cut at its length',
      { rounds: [{ marbles: 't|', response: { finishReason: 'length' } }] },
      ['user: hello', 'assistant: t'],
    ],
  ])('[S174][S173] is a valid conversation when %s', (_, script, history) => {
    const played = play({ tools: tools(), ...(script as Script) });
    expect(played.history).toEqual(history);
    expectValid(kept(played.memory));
  });

  it('[S174] lets a next question follow, whatever the end: no text stands between a call and its result', () => {
    const chatMemory = roomyMemory();
    play({ rounds: ['A|'], tools: [scriptedTool('a', '-----r|')], chatMemory, subscription: '^---!' });
    const { requests, marbles } = asked({ rounds: ['z|'], chatMemory, input: 'next' });
    expect(requests).toEqual([['user: hello', 'assistant: [A]', `A! ${neutral}`, 'user: next']]);
    expect(marbles).toBe('z($|)');
  });

  it('[G44] has the user message once when the first request fails and is tried again', () => {
    const { history, requests, marbles } = asked({ rounds: ['-t#', '-z|'], pipe: retry(1) });
    expect(marbles).toBe('-t&z($|)');
    expect(history).toEqual(['user: hello', 'assistant: z']);
    expect(requests).toEqual([['user: hello'], ['user: hello']]);
  });

  it('[G44] has the user message once when the caller asks again on the same memory', () => {
    const chatMemory = roomyMemory();
    play({ rounds: ['-t#'], chatMemory });
    const { history } = play({ rounds: ['-z|'], chatMemory });
    expect(history).toEqual(['user: hello', 'assistant: z']);
  });

  it('[G44] holds no empty answer', () => {
    const { history } = play({
      rounds: [{ marbles: '-|', response: { aiMessage: { role: 'assistant', text: '', toolExecutionRequests: [] } } }],
    });
    expect(history).toEqual(['user: hello']);
  });

  it('[G46] can take the way through JSON at any time, and the next request is the same', () => {
    const blocks = {
      blocks: [{ type: 'thinking', signature: 'c2ln', text: '' }],
      reasoning: [{ id: 'rs_1', encrypted_content: 'x' }],
    };
    const response = {
      aiMessage: {
        role: 'assistant' as const,
        text: '',
        thinking: 'hm',
        toolExecutionRequests: [{ id: 'A', name: 'a', arguments: '{"n":12345678901234567890}' }],
        attributes: blocks,
      },
    };
    const chatMemory = roomyMemory();
    play({ rounds: [{ marbles: '|', response }, 'z|'], tools: tools(), chatMemory });
    const detour = memoryWith(...parseMessages(JSON.parse(JSON.stringify(kept(chatMemory)))));
    const next = (memory: ChatMemory) => play({ rounds: ['y|'], chatMemory: memory, input: 'next' }).model.requests[0];
    const [direct, through] = [next(chatMemory), next(detour)];
    expect(through).toEqual(direct);
    expect(JSON.stringify(through)).toContain('"attributes":{"blocks":[{"type":"thinking","signature":"c2ln","text":""}]');
  });
});

describe('[G42] a memory that was left broken', () => {
  const broken = [user('q1'), calling('A', 'B'), result('B'), result('X')];

  it('is repaired before it goes to the model, and the store need not be edited by hand', () => {
    const { requests } = asked({ rounds: ['z|'], chatMemory: memoryWith(...broken), input: 'q2' });
    expect(requests).toEqual([['user: q1', 'assistant: [A B]', `A! ${neutral}`, 'B: r', 'user: q2']]);
  });

  it('stays usable run after run', () => {
    const chatMemory = memoryWith(...broken);
    for (const input of ['q2', 'q3']) {
      const { model, marbles } = play({ rounds: ['A|', 'z|'], tools: tools(), chatMemory, input });
      expect(marbles).toBe('(A<a)(*a%)(>az)($|)');
      for (const { messages } of model.requests) expectValid(messages, 3);
    }
  });
});

describe('[G47] the caller', () => {
  it('may change its contents and messages afterwards: the invocation does not see it', () => {
    const contents = [{ type: 'text', text: 'before' } as const];
    const { requests, history } = asked({
      rounds: ['A|', '---z|'],
      tools: tools(),
      input: contents,
      meanwhile: { 3: () => contents.push({ type: 'text', text: 'smuggled' } as never) },
    });
    expect(requests.map(([first]) => first)).toEqual(['user: before', 'user: before']);
    expect(history[0]).toBe('user: before');
  });

  it('gives one array to a memory and two runs, and none of them changes it', () => {
    const messages = [user('q1'), answer('a1')];
    const stores = [memoryWith(...messages), memoryWith(...messages)];
    for (const chatMemory of stores) play({ rounds: ['z|'], chatMemory });
    expect(outline(messages)).toEqual(['user: q1', 'assistant: a1']);
    expect(stores.map((memory) => kept(memory).length)).toEqual([4, 4]);
  });

  it('may change what a model or a transformer was given: the history does not see it', () => {
    const chatMemory = roomyMemory();
    const { history } = play({
      rounds: ['A|', 'z|'],
      tools: tools(),
      chatMemory,
      interceptors: {
        model: [
          (request, _, next) => {
            (request.messages as ChatMessage[]).length = 1;
            return next(request);
          },
        ],
      },
    });
    expect(history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });
});

describe('a window smaller than the conversation', () => {
  const old = [user('q1'), ...unit('X'), answer('a1')];

  it('cuts the requests as well, and keeps the current question in each', () => {
    const chatMemory = messageWindowMemory({ maxMessages: 4 });
    watch(fromTask(() => chatMemory.set(old)));
    const { requests, history } = asked({ rounds: ['A|', 'A|', 'z|'], tools: tools(), chatMemory, idGenerator: () => 'g' });
    expect(requests).toEqual([
      ['assistant: a1', 'user: hello'],
      ['assistant: a1', 'user: hello', 'assistant: [A]', 'A: r'],
      ['user: hello', 'assistant: [g]', 'g: r'],
    ]);
    expect(history).toEqual(['user: hello', 'assistant: [g]', 'g: r', 'assistant: z']);
  });

  it('sends a round that does not fit in full', () => {
    const { requests } = asked({ rounds: ['(AB)|', 'z|'], tools: tools(), chatMemory: messageWindowMemory({ maxMessages: 1 }) });
    expect(requests[1]).toEqual(['user: hello', 'assistant: [A B]', 'A: r', 'B: s']);
  });

  it('[G45] keeps the system message first and single, over many turns', () => {
    const chatMemory = messageWindowMemory({ maxMessages: 3 });
    for (let i = 1; i <= 6; i++) {
      const { requests, history } = asked({
        rounds: ['A|', 'z|'],
        tools: tools(),
        systemMessage: 'Be brief.',
        chatMemory,
        input: `q${i}`,
      });
      for (const request of [...requests, history]) {
        expect(request.filter((line) => line.startsWith('system'))).toEqual(['system: Be brief.']);
        expect(request[0]).toBe('system: Be brief.');
        expect(request).toContain(`user: q${i}`);
      }
    }
  });
});

describe('[G45] the system message', () => {
  it('is stored once, and takes the place of the old one when it changes between runs', () => {
    const chatMemory = roomyMemory();
    const run = (systemMessage: string, input: string) => asked({ rounds: ['z|'], systemMessage, chatMemory, input });
    expect(run('one', 'q1').history).toEqual(['system: one', 'user: q1', 'assistant: z']);
    expect(run('one', 'q2').history).toEqual(['system: one', 'user: q1', 'assistant: z', 'user: q2', 'assistant: z']);
    const { requests, history } = run('two', 'q3');
    expect(requests).toEqual([['system: two', 'user: q1', 'assistant: z', 'user: q2', 'assistant: z', 'user: q3']]);
    expect(history).toEqual([...requests[0]!, 'assistant: z']);
  });

  it('may be added to a memory that had none', () => {
    const { requests, history } = asked({ rounds: ['z|'], systemMessage: 's', chatMemory: memoryWith(user('q1'), answer('a1')) });
    expect(requests).toEqual([['system: s', 'user: q1', 'assistant: a1', 'user: hello']]);
    expect(history).toEqual([...requests[0]!, 'assistant: z']);
  });

  it('stays the stored one for a service that has none', () => {
    const { requests, history } = asked({ rounds: ['z|'], chatMemory: memoryWith(system('kept'), user('q1'), answer('a1')) });
    expect(requests[0]![0]).toBe('system: kept');
    expect(history.filter((line) => line.startsWith('system'))).toEqual(['system: kept']);
  });

  it('is the newest of several that a store holds, and is sent first', () => {
    const { requests } = asked({ rounds: ['z|'], chatMemory: memoryWith(user('q1'), system('old'), answer('a1')) });
    expect(requests).toEqual([['system: old', 'user: q1', 'assistant: a1', 'user: hello']]);
  });

  it('may be made for each invocation, of what the caller passed in', () => {
    const chatMemory = roomyMemory();
    const systemMessage = ({ parameters }: { parameters: Map<string, unknown> }) =>
      `You serve ${String(parameters.get('name'))}.`;
    for (const name of ['Ann', 'Ben']) {
      const { requests } = asked({ rounds: ['z|'], systemMessage, chatMemory, call: { parameters: { name } } });
      expect(requests[0]!.filter((line) => line.startsWith('system'))).toEqual([`system: You serve ${name}.`]);
    }
  });

  it('is not written when nothing else is', () => {
    const { history } = play({ rounds: ['#'], systemMessage: 's' });
    expect(history).toEqual([]);
  });
});
