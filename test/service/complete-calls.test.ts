import { describe, expect, it } from 'vitest';
import type { ChatModelEvent } from '../../src/chat/chat-model.ts';
import type { ToolExecutionRequest } from '../../src/chat/message.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { expectValid, kept, neutral, play, roomyMemory } from './support.ts';

const call = (id: string, name = id.toLowerCase()): ToolExecutionRequest => ({ id, name, arguments: '{}' });
const answer = (text: string | null, ...toolExecutionRequests: ToolExecutionRequest[]) =>
  ({ role: 'assistant', text, toolExecutionRequests }) as const;
const piece = (index: number, id: string, partialArguments: string): ChatModelEvent => ({
  type: 'partialToolCall',
  index,
  id,
  name: 'a',
  partialArguments,
});

describe('what the model streamed decides', () => {
  it('[G1] a turn with calls runs them though its finish word is stop, and its preamble goes into the next request', () => {
    const tools = [scriptedTool('a', '-r|'), scriptedTool('b', '-r|'), scriptedTool('c', '-r|')];
    const played = play({ rounds: [{ marbles: '-tABC|', response: { finishReason: 'stop' } }, '-z|'], tools });
    expect(played.model.requests[1]!.messages.slice(1)).toEqual(kept(played.memory).slice(1, 5));
    expect(played.history).toEqual(['user: hello', 'assistant: t [A B C]', 'A: r', 'B: r', 'C: r', 'assistant: z']);
  });

  it('calls that are told in the complete response alone still run', () => {
    const tools = [scriptedTool('a', '--r|'), scriptedTool('b', '-r|')];
    const played = play({
      rounds: [{ marbles: '-t-|', response: { aiMessage: answer('t', call('A'), call('B')) } }, '-z|'],
      tools,
    });
    expect(played.marbles).toBe('-t-(A<aB<b%)*b(*a>b)>az($|)');
    expect(played.history).toEqual(['user: hello', 'assistant: t [A B]', 'A: r', 'B: r', 'assistant: z']);
  });

  it('a call that was streamed and is told again in the complete response runs once', () => {
    const [a, b] = [scriptedTool('a', '-r|'), scriptedTool('b', '-r|')];
    const played = play({
      rounds: [{ marbles: '-A--|', response: { aiMessage: answer(null, call('A'), call('B')) } }, '-z|'],
      tools: [a, b],
    });
    expect(a.subscriptions()).toEqual(['-^-!']);
    expect(b.subscriptions()).toEqual(['----^-!']);
    expect(played.history.slice(1, 4)).toEqual(['assistant: [A B]', 'A: r', 'B: r']);
  });

  it('[G11] no tool runs whose arguments had only begun when the stream broke', () => {
    const a = scriptedTool('a', '-r|');
    const events = { '1': piece(0, 'A', '{"city":"Paris"}'), '2': piece(0, 'A', ' ') };
    const played = play({ rounds: ['-t12#'], script: { events }, tools: [a] });
    expect(played.marbles).toBe('-t::#');
    expect(a.contexts).toEqual([]);
    expect(played.history).toEqual([]);
  });

  it('a tool that ran in a turn that broke later stays in memory with its result', () => {
    const played = play({ rounds: ['-tA---#'], tools: [scriptedTool('a', '-r|')] });
    expect(played.marbles).toBe('-t(A<a)*a>a-#');
    expect(played.history).toEqual(['user: hello', 'assistant: t [A]', 'A: r']);
  });

  it('a call whose pieces still stream is left out of the memory of a round that was given up', () => {
    const events = { '1': piece(1, 'B', '{"city":'), '2': piece(1, 'B', '"Paris"}') };
    const played = play({
      rounds: ['-tA-12--|'],
      script: { events },
      tools: [scriptedTool('a', '-r|')],
      subscription: '^-----!',
    });
    expect(played.marbles).toBe('-t(A<a)*a(:>a):');
    expect(played.history).toEqual(['user: hello', 'assistant: t [A]', 'A: r']);
  });

  it('a turn that breaks while its tool runs lets the tool settle, and errors then', () => {
    const played = play({ rounds: ['-A-#'], tools: [scriptedTool('a', '-----r|')] });
    expect(played.marbles).toBe('-(A<a)----*a(>a#)');
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r']);
  });
});

describe.each(['length', 'contentFilter'] as const)('a turn that ends in %s', (finishReason) => {
  it('is the last: the final response has that reason, and no further request goes out', () => {
    const played = play({ rounds: [{ marbles: '-t|', response: { finishReason } }] });
    expect(played.marbles).toBe('-t($|)');
    expect(played.values.at(-1)).toMatchObject({ type: 'finalResponse', response: { finishReason, aiMessage: { text: 't' } } });
    expect(played.history).toEqual(['user: hello', 'assistant: t']);
    expect(played.firedTypes.at(-1)).toBe('completed');
  });

  it('keeps in memory the text and the calls that ran, and leaves the cut ones out', () => {
    const [a, b] = [scriptedTool('a', '----r|'), scriptedTool('b', '-r|')];
    const cut = { finishReason, aiMessage: answer('t', call('A'), call('B')) };
    const played = play({ rounds: [{ marbles: '-t-A-|', response: cut }], tools: [a, b] });
    expect(played.marbles).toBe('-t-(A<a)---*a(>a$|)');
    expect(b.contexts).toEqual([]);
    expect(played.model.requests).toHaveLength(1);
    expect(played.history).toEqual(['user: hello', 'assistant: t [A]', 'A: r']);
    expectValid(kept(played.memory));
  });

  it('that has neither text nor calls leaves the question alone in memory', () => {
    const played = play({ rounds: [{ marbles: '--|', response: { finishReason } }] });
    expect(played.marbles).toBe('--($|)');
    expect(played.history).toEqual(['user: hello']);
  });

  it('still fails when the tool that it called failed', () => {
    const played = play({ rounds: [{ marbles: '-A-|', response: { finishReason } }], tools: [scriptedTool('a', '-#')] });
    expect(played.error).toEqual(new Error('a failed'));
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', `A! ${neutral}`]);
  });
});

describe('calls are keyed by their place', () => {
  const counter = () => {
    let count = 0;
    return () => `made-${++count}`;
  };
  const twoTools = () => [scriptedTool('a', '---x|'), scriptedTool('b', '-y|')];
  const named = (calls: Readonly<Record<string, Partial<ToolExecutionRequest>>>) => ({ calls });

  it('the same id twice in a turn becomes two ids in the history, each with its own result', () => {
    const played = play({
      rounds: ['(AB)|', '-z|'],
      script: named({ A: { id: 'same' }, B: { id: 'same' } }),
      tools: twoTools(),
      idGenerator: counter(),
    });
    expect(played.history).toEqual(['user: hello', 'assistant: [same made-2]', 'same: x', 'made-2: y', 'assistant: z']);
  });

  it('empty ids become ids', () => {
    const played = play({
      rounds: ['(AB)|', '-z|'],
      script: named({ A: { id: '' }, B: { id: '' } }),
      tools: twoTools(),
      idGenerator: counter(),
    });
    expect(played.history).toEqual(['user: hello', 'assistant: [made-2 made-3]', 'made-2: x', 'made-3: y', 'assistant: z']);
  });

  it('an id of an earlier turn gets another one, also across invocations', () => {
    const chatMemory = roomyMemory();
    const idGenerator = counter();
    for (let question = 0; question < 2; question++)
      play({ rounds: ['A|', 'A|', '-z|'], chatMemory, tools: twoTools(), idGenerator });
    expectValid(kept(chatMemory), 2);
    expect(kept(chatMemory).flatMap((message) => (message.role === 'tool' ? [message.id] : []))).toEqual([
      'A',
      'made-2',
      'made-4',
      'made-5',
    ]);
  });

  it('made-up ids differ though the generator is a constant', () => {
    const played = play({
      rounds: ['(AB)|', '-z|'],
      script: named({ A: { id: '' }, B: { id: '' } }),
      tools: twoTools(),
      idGenerator: () => 'id',
    });
    expect(played.history[1]).toBe('assistant: [id id-2]');
  });

  it('one id ties together the pieces, the call, its start, its end and its result', () => {
    const events = { '1': piece(0, '', '{'), '2': piece(0, '', '}') };
    const played = play({
      rounds: ['-12A|', '-z|'],
      script: { events, calls: { A: { id: '' } } },
      tools: [scriptedTool('a', '-r|')],
      idGenerator: counter(),
    });
    const ids = played.values.flatMap((event) => {
      if (event.type === 'partialToolCall') return [event.id];
      if (event.type === 'afterToolExecution') return [event.execution.request.id];
      return 'request' in event ? [event.request.id] : [];
    });
    expect(ids).toEqual(['made-2', 'made-2', 'made-2', 'made-2', 'made-2', 'made-2']);
    expect(played.history[2]).toBe('made-2: r');
  });

  it('results stand in the order of the places, whichever call was complete first', () => {
    const complete = (index: number, id: string): ChatModelEvent => ({ type: 'completeToolCall', index, request: call(id) });
    const played = play({
      rounds: ['-1-0|', '-z|'],
      script: { events: { '0': complete(0, 'A'), '1': complete(1, 'B') } },
      tools: twoTools(),
    });
    expect(played.history).toEqual(['user: hello', 'assistant: [A B]', 'A: x', 'B: y', 'assistant: z']);
  });
});
