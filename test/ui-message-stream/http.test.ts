import 'node:process';
import { BehaviorSubject, NEVER, Observable, concat, filter, firstValueFrom, of } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { tool } from '../../src/tool/tool.ts';
import {
  fromUiMessages,
  toUiMessageStream,
  toUiMessageStreamResponse,
  uiApprovals,
  type UiMessageChunk,
} from '../../src/ui-message-stream/index.ts';
import { TestChat, isReady } from './chat.ts';
import { fetchServer, nodeServer, type TestServer } from './servers.ts';

const opened: TestServer[] = [];
const open = async (server: Promise<TestServer>) => {
  opened.push(await server);
  return opened.at(-1)!.url;
};
afterEach(async () => {
  for (const server of opened.splice(0)) await server.stop();
});

const stateOf = (chat: TestChat) =>
  chat.lastMessage!.parts.map((part) => ('state' in part ? `${part.type}: ${part.state}` : part.type));

describe.each([
  ['a Node server', nodeServer],
  ['a fetch-style server', fetchServer],
])('the AI SDK’s chat with %s', (_, server) => {
  it('shows an answer with its calls', async () => {
    const time = tool({ name: 'time', execute: () => Promise.resolve('noon') });
    const service = aiService({ model: scriptedModel([[{ call: 'time' }], ['It is ', 'noon.']]), tools: [time] });
    const url = await open(
      server(({ messages }) => service.stream(fromUiMessages(messages).userMessage!).pipe(toUiMessageStream())),
    );
    const chat = new TestChat(url);
    await chat.sendMessage({ text: 'What time is it?' });
    expect(chat.status).toBe('ready');
    expect(chat.lastMessage!.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'tool-time', state: 'output-available', output: 'noon' },
      { type: 'step-start' },
      { type: 'text', text: 'It is noon.', state: 'done' },
    ]);
  });

  it('shows an error, and none of its words', async () => {
    const service = aiService({ model: scriptedModel([{ marbles: '#', error: new Error('secret') }]) });
    const chat = new TestChat(await open(server(() => service.stream('Go').pipe(toUiMessageStream()))));
    await chat.sendMessage({ text: 'Go' });
    expect(chat.status).toBe('error');
    expect(chat.error!.message).toBe('An error occurred.');
  });

  it('unsubscribes when it is stopped', async () => {
    const subscribed$ = new BehaviorSubject(false);
    const endless$ = new Observable<UiMessageChunk>((subscriber) => {
      subscribed$.next(true);
      subscriber.add(() => subscribed$.next(false));
      const begun: readonly UiMessageChunk[] = [
        { type: 'start' },
        { type: 'start-step' },
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'Well' },
      ];
      return concat(of(...begun), NEVER).subscribe(subscriber);
    });
    const chat = new TestChat(await open(server(() => endless$)));
    const sent = chat.sendMessage({ text: 'Go' });
    await chat.until(({ status }) => status === 'streaming');
    expect(subscribed$.value).toBe(true);
    await chat.stop();
    await firstValueFrom(subscribed$.pipe(filter((isSubscribed) => !isSubscribed)), { defaultValue: false });
    await sent;
    expect(chat.status).toBe('ready');
  });

  it('asks the user, and goes on in the same message with what was decided', async () => {
    const sent: string[] = [];
    const send = tool({ name: 'send', needsApproval: true, execute: () => `sent ${sent.push('x')}` });
    const time = tool({ name: 'time', execute: () => Promise.resolve('noon') });
    const model = scriptedModel([
      ['Wait. ', { call: 'send' }, { call: 'send' }, { call: 'time' }],
      ['Done.'],
      ['You are welcome.'],
    ]);
    const chatMemory = messageWindowMemory({ maxMessages: 20 });
    const service = aiService({ model, tools: [send, time], chatMemory });
    const approvals = uiApprovals();
    const url = await open(
      server(({ id, messages }) => approvals.answer(id, fromUiMessages(messages), (message) => service.start(message))),
    );
    const chat = new TestChat(url);
    await chat.sendMessage({ text: 'Send it' });
    expect(chat.status).toBe('ready');
    expect(stateOf(chat)).toEqual([
      'step-start',
      'text: done',
      'tool-send: approval-requested',
      'tool-send: approval-requested',
      'tool-time: output-available',
    ]);
    expect(approvals.size).toBe(1);

    const ids = chat.lastMessage!.parts.flatMap((part) => ('approval' in part && part.approval ? [part.approval.id] : []));
    await chat.addToolApprovalResponse({ id: ids[0]!, approved: true });
    await chat.addToolApprovalResponse({ id: ids[1]!, approved: false, reason: 'once is enough' });
    await chat.until((shown) => isReady(shown) && shown.messages.at(-1)!.parts.at(-1)!.type === 'text');
    expect(chat.messages).toHaveLength(2);
    expect(stateOf(chat)).toEqual([
      'step-start',
      'text: done',
      'tool-send: output-available',
      'tool-send: output-denied',
      'tool-time: output-available',
      'step-start',
      'text: done',
    ]);
    expect(sent).toEqual(['x']);
    expect(approvals.size).toBe(0);
    await chat.sendMessage({ text: 'Thanks' });
    expect(chat.lastMessage!.parts.at(-1)).toMatchObject({ text: 'You are welcome.' });
    // The history that the client has is the one that the model was told.
    const { messages } = fromUiMessages(chat.messages);
    expect(messages).toEqual(chatMemory.messages());
  });

  it('asks the user for a call inside a tool that is a service, also where its id is that of the tool’s call', async () => {
    const sent: string[] = [];
    const send = tool({ name: 'send', needsApproval: true, execute: () => `sent ${sent.push('x')}` });
    const innerModel = scriptedModel([[{ call: 'send', id: 'same' }], ['Sent.']]);
    const inner = aiService({ model: innerModel, tools: [send] }).asTool({ name: 'clerk', description: 'Sends' });
    const model = scriptedModel([[{ call: 'clerk', arguments: { input: 'Go' }, id: 'same' }], ['Done.']]);
    const service = aiService({ model, tools: [inner] });
    const approvals = uiApprovals();
    const url = await open(
      server(({ id, messages }) => approvals.answer(id, fromUiMessages(messages), (message) => service.start(message))),
    );
    const chat = new TestChat(url);
    await chat.sendMessage({ text: 'Send it' });
    expect(stateOf(chat)).toEqual(['step-start', 'tool-clerk: output-available', 'tool-send: approval-requested']);
    const [id] = chat.lastMessage!.parts.flatMap((part) => ('approval' in part && part.approval ? [part.approval.id] : []));
    await chat.addToolApprovalResponse({ id: id!, approved: true });
    await chat.until((shown) => isReady(shown) && shown.messages.at(-1)!.parts.at(-1)!.type === 'text');
    expect(chat.lastMessage!.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'tool-clerk', output: 'Sent.' },
      { type: 'tool-send', output: 'sent 1' },
      { type: 'step-start' },
      { type: 'text', text: 'Done.' },
    ]);
    expect([sent, approvals.size]).toEqual([['x'], 0]);
    // To the outer model the call inside was never told.
    expect(fromUiMessages(chat.messages).messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  it('goes on with a new question instead of a decision', async () => {
    const send = tool({ name: 'send', needsApproval: true, execute: () => 'sent' });
    const model = scriptedModel([[{ call: 'send' }], ['Something else.']]);
    const service = aiService({ model, tools: [send], chatMemory: messageWindowMemory({ maxMessages: 20 }) });
    const approvals = uiApprovals();
    const url = await open(
      server(({ id, messages }) => approvals.answer(id, fromUiMessages(messages), (message) => service.start(message))),
    );
    const chat = new TestChat(url);
    await chat.sendMessage({ text: 'Send it' });
    await chat.sendMessage({ text: 'No, tell me something else' });
    expect(chat.lastMessage!.parts.at(-1)).toMatchObject({ text: 'Something else.' });
    expect(approvals.size).toBe(0);
  });
});

describe('the response of a fetch-style server', () => {
  it('has the headers of the protocol, and those of the caller', async () => {
    const { status, headers, body } = toUiMessageStreamResponse(of({ type: 'start' }), {
      status: 201,
      headers: { 'X-Mine': '1' },
    });
    expect(status).toBe(201);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'x-vercel-ai-ui-message-stream': 'v1',
      'x-mine': '1',
    });
    expect(await new Response(body).text()).toBe('data: {"type":"start"}\n\ndata: [DONE]\n\n');
  });

  it('tells nothing of the events of a service, and the developer what is missing', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const events$ = aiService({ model: scriptedModel([['secret']]) }).stream('Go');
    const text = await toUiMessageStreamResponse(events$ as never).text();
    expect(text).toBe('data: {"type":"error","errorText":"An error occurred."}\n\ndata: [DONE]\n\n');
    expect(String(log.mock.calls[0]![1])).toContain('toUiMessageStream()');
    log.mockRestore();
  });

  it('refuses a last event of one’s own', () => {
    expect(() => toUiMessageStreamResponse(of(), { lastData: 'x' } as never)).toThrow('unknown option lastData');
  });
});
