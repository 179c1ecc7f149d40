import { describe, expect, it } from 'vitest';
import type { ToolChoice } from '../../src/chat/chat-request.ts';
import type { Content } from '../../src/chat/content.ts';
import type { ChatMessage, UserMessage } from '../../src/chat/message.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import { toolErrorVisibleToLlm } from '../../src/tool/visible-to-llm.ts';
import type { ToolContext } from '../../src/tool/types.ts';
import { kept, outline, play, roomyMemory } from './support.ts';

const a = () => scriptedTool('a', 'r|');

describe('a forced tool choice', () => {
  const choices = (toolChoice: ToolChoice | undefined, more = {}) =>
    play({
      rounds: ['A|', 'A|', '-z|'],
      tools: [a()],
      call: { chatRequest: toolChoice ? { toolChoice } : {} },
      ...more,
    }).model.requests.map((request) => request.toolChoice);

  it.each(['required', { name: 'a' }] as const)('[G2] of %j is for the first request; later ones say auto', (toolChoice) => {
    expect(choices(toolChoice)).toEqual([toolChoice, 'auto', 'auto']);
  });

  it("[G2] that the model's own defaults may make is called off as well", () => {
    expect(choices(undefined)).toEqual([undefined, 'auto', 'auto']);
  });

  it('of none or auto stays what it is', () => {
    expect(choices('none')).toEqual(['none', 'none', 'none']);
    expect(choices('auto')).toEqual(['auto', 'auto', 'auto']);
  });

  it('[G2] is called off behind a tool that failed, too', () => {
    const failing = scriptedTool('a', '#', { error: toolErrorVisibleToLlm('not now') });
    expect(choices('required', { tools: [failing] })).toEqual(['required', 'auto', 'auto']);
  });

  it('that forces a tool is called off also where later requests have none', () => {
    let isFirst = true;
    const provider = { isDynamic: true, provideTools: () => (isFirst ? ((isFirst = false), [a()]) : []) };
    const played = play({
      rounds: ['A|', '-z|'],
      toolProviders: [provider],
      // The window has let go of the call by then, and with it of the tool.
      chatMemory: { ...roomyMemory(), fit: (messages) => messages.slice(0, 1) },
      call: { chatRequest: { toolChoice: 'required' } },
    });
    expect(played.model.requests.map(({ toolChoice }) => toolChoice)).toEqual(['required', 'auto']);
    expect(played.model.requests[1]).not.toHaveProperty('toolSpecifications');
  });

  it('is not sent by a service without tools', () => {
    const played = play({ rounds: ['-z|'] });
    expect(Object.keys(played.model.requests[0]!)).toEqual(['messages']);
  });
});

describe('the options of an invocation', () => {
  it('chatRequest is merged into every request; messages and tools stay those of the service', () => {
    const chatRequest = { temperature: 0.5, modelName: 'x', messages: [], toolSpecifications: [] };
    const tools = [a()];
    const { requests } = play({ rounds: ['A|', '-z|'], tools, call: { chatRequest } }).model;
    expect(requests.map(({ temperature, modelName }) => [temperature, modelName])).toEqual([
      [0.5, 'x'],
      [0.5, 'x'],
    ]);
    expect(requests.map(({ messages }) => messages.length)).toEqual([1, 3]);
    expect(requests[1]!.toolSpecifications).toEqual([tools[0]!.specification]);
  });

  it('toolSpecifications are the same array in every request', () => {
    const { requests } = play({ rounds: ['A|', '-z|'], tools: [a()] }).model;
    expect(requests[1]!.toolSpecifications).toBe(requests[0]!.toolSpecifications);
  });

  it("model takes the place of the service's model", () => {
    const other = scriptedModel(['-y|']);
    const played = play({ rounds: [], call: { model: other } });
    expect(played.marbles).toBe('-y($|)');
    expect(other.requests).toHaveLength(1);
    expect(played.model.requests).toEqual([]);
  });

  it.each([
    ['an object', { user: 7 }],
    ['a Map', new Map([['user', 7]])],
  ])('[S88][S187] parameters as %s reach the tools as a Map of their own', (_, parameters) => {
    const tools = [a()];
    const played = play({ rounds: ['A|', '-z|'], tools, call: { parameters } });
    const { contexts } = tools[0]!;
    expect([...contexts[0]!.parameters]).toEqual([['user', 7]]);
    expect(contexts[0]!.parameters).not.toBe(parameters);
    expect(contexts[0]!.invocation).toBe(played.values[0]!.invocation);
    expect(contexts[0]!.invocation.parameters).toBe(contexts[0]!.parameters);
  });

  it('[S88] parameters that one tool writes are read by a later one, and not by the next invocation', () => {
    const read: unknown[] = [];
    const writer = tool({ name: 'a', execute: (_: unknown, { parameters }: ToolContext) => void parameters.set('seen', true) });
    const reader = tool({
      name: 'b',
      execute: (_: unknown, { parameters }: ToolContext) => void read.push(parameters.get('seen')),
    });
    const parameters = { user: 7 };
    play({ rounds: ['A|', 'B|', '-z|'], tools: [writer, reader], call: { parameters } });
    play({ rounds: ['B|', '-z|'], tools: [writer, reader], call: { parameters } });
    expect(read).toEqual([true, undefined]);
    expect(parameters).toEqual({ user: 7 });
  });

  it('memoryId picks the memory, whose provider is asked once per id, and is told to the tools', () => {
    const asked: unknown[] = [];
    const tools = [a()];
    const model = scriptedModel(['A|', '-t|', '-u|', '-v|']);
    const service = aiService({
      model,
      tools,
      chatMemoryProvider: (id) => {
        asked.push(id);
        return roomyMemory();
      },
    });
    runMarbles(({ expectEvents }) => {
      expectEvents(service.stream('one', { memoryId: 'x' }));
      expectEvents(service.stream('two', { memoryId: 'x' }), '----------^');
      expectEvents(service.stream('three'), '--------------------^');
    });
    expect(asked).toEqual(['x', 'default']);
    expect(tools[0]!.contexts[0]!.memoryId).toBe('x');
    expect(outline(kept(service.chatMemory('x')))).toEqual([
      'user: one',
      'assistant: [A]',
      'A: r',
      'assistant: t',
      'user: two',
      'assistant: u',
    ]);
    expect(outline(kept(service.chatMemory()))).toEqual(['user: three', 'assistant: v']);
    service.evictChatMemory('x');
    expect(kept(service.chatMemory('x'))).toEqual([]);
    expect(asked).toEqual(['x', 'default', 'x']);
  });
});

describe('the input', () => {
  const image: Content = { type: 'image', url: 'https://a.example/b.png' };
  const text: Content = { type: 'text', text: 'what is this?' };

  it.each([
    ['text', 'what is this?', [text]],
    ['contents', [text, image], [text, image]],
    ['a user message', { role: 'user', contents: [image] } satisfies UserMessage, [image]],
  ])('as %s becomes the user message of the request and of the context', (_, input, contents) => {
    const played = play({ rounds: ['-t|'], input });
    expect(played.model.requests[0]!.messages).toEqual([{ role: 'user', contents }]);
    expect(played.values[0]!.invocation.userMessage).toEqual({ role: 'user', contents });
    expect(kept(played.memory)[0]).toEqual({ role: 'user', contents });
  });

  it('[G47] is copied: what the caller does to its array meanwhile is not seen, and the array is not changed', () => {
    const input: Content[] = [text];
    const played = play({
      rounds: ['A|', '-z|'],
      tools: [scriptedTool('a', '---r|')],
      input,
      meanwhile: { 2: () => input.push(image) },
    });
    expect(played.model.requests[1]!.messages[0]).toEqual({ role: 'user', contents: [text] });
    expect(kept(played.memory)[0]).toEqual({ role: 'user', contents: [text] });
    expect(input).toEqual([text, image]);
  });

  it('[G47] and the history of a memory that two runs read are their own', () => {
    const shared: ChatMessage[] = [
      { role: 'user', contents: [text] },
      { role: 'assistant', text: 'a cat', toolExecutionRequests: [] },
    ];
    const before = structuredClone(shared);
    const written: (readonly ChatMessage[])[] = [];
    const memory = () => ({
      id: 'x',
      messages: () => shared,
      add: (more: readonly ChatMessage[]) => void written.push(more),
      set: () => undefined,
      clear: () => undefined,
    });
    const run = () =>
      play({
        rounds: ['A|', '-z|'],
        tools: [scriptedTool('a', '---r|')],
        chatMemory: memory(),
        meanwhile: { 2: () => shared.pop() },
      });
    for (const played of [run(), (shared.push(before[1]!), run())]) {
      expect(outline(played.model.requests[1]!.messages)).toEqual([
        'user: what is this?',
        'assistant: a cat',
        'user: hello',
        'assistant: [A]',
        'A: r',
      ]);
    }
    expect(shared).toEqual(before.slice(0, 1));
    expect(written.map(outline)).toEqual(
      Array.from({ length: 2 }, () => [['user: hello', 'assistant: [A]', 'A: r'], ['assistant: z']]).flat(),
    );
  });

  it('[G47] and a request whose messages somebody changes do not change the history', () => {
    const played = play({
      rounds: ['A|', '-z|'],
      tools: [a()],
      interceptors: {
        model: [
          (request, _, next) => ((request.messages as ChatMessage[]).push({ role: 'system', text: 'injected' }), next(request)),
        ],
      },
    });
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
    expect(outline(played.model.requests[1]!.messages)).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'system: injected']);
  });
});
