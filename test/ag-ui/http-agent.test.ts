import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { HttpAgent, buildResumeArray } from '@ag-ui/client';
import { Subject, concat, firstValueFrom, of, tap } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { agUiRuns, sendSse, toSseResponse, type AgUiRuns } from '../../src/ag-ui/index.ts';
import type { ChatModel } from '../../src/chat/chat-model.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { tool } from '../../src/tool/tool.ts';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function urlOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** The two ways to serve: Node's own, and a handler from Request to Response. */
const ways: Record<string, (runs: AgUiRuns) => RequestListener> = {
  'Node http and sendSse': (runs) => (request, response) =>
    void jsonOf(request).then((json) => sendSse(runs.run(json), response)),
  'a fetch-style server and toSseResponse': (runs) => {
    const handler = async (request: Request) => toSseResponse(runs.run(await request.json()));
    return (request, response) => void adapted(handler, request, response);
  },
};

async function adapted(handler: (request: Request) => Promise<Response>, incoming: IncomingMessage, outgoing: ServerResponse) {
  const body = JSON.stringify(await jsonOf(incoming));
  const response = await handler(new Request('http://localhost/', { method: 'POST', body }));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  const readable = Readable.fromWeb(response.body as never);
  outgoing.once('close', () => readable.destroy());
  readable.on('error', () => outgoing.destroy()).pipe(outgoing);
}

const add = tool({ name: 'add', execute: () => 2 });
const pay = tool({ name: 'pay', needsApproval: true, execute: () => 'paid' });
const chatMemoryProvider = (id: unknown) => messageWindowMemory({ id, maxMessages: 100 });

describe.each(Object.entries(ways))("AG-UI's own client over %s", (_, serve) => {
  it('has the messages of the conversation', async () => {
    const model = scriptedModel([
      [{ type: 'partialThinking', text: 'Hm.' }, 'Let me see. ', { call: 'add' }],
      ['It is ', '2.'],
    ]);
    const runs = agUiRuns(aiService({ model, tools: [add], chatMemoryProvider }));
    const agent = new HttpAgent({ url: await urlOf(serve(runs)), threadId: 't' });
    agent.addMessage({ id: 'u', role: 'user', content: 'What is 1 + 1?' });
    await agent.runAgent();
    expect(agent.messages).toMatchObject([
      { role: 'user' },
      { role: 'reasoning', content: 'Hm.' },
      { role: 'assistant', content: 'Let me see. ', toolCalls: [{ function: { name: 'add', arguments: '{}' } }] },
      { role: 'tool', content: '2' },
      { role: 'assistant', content: 'It is 2.' },
    ]);
  });

  it('answers an interrupt, and the invocation goes on', async () => {
    const model = scriptedModel([[{ call: 'pay', id: 'c' }], ['Paid.'], ['Again.']]);
    const runs = agUiRuns(aiService({ model, tools: [pay], chatMemoryProvider }));
    const agent = new HttpAgent({ url: await urlOf(serve(runs)), threadId: 't' });
    agent.addMessage({ id: 'u', role: 'user', content: 'Pay!' });
    await agent.runAgent();
    const [interrupt] = agent.pendingInterrupts;
    expect(interrupt).toMatchObject({ reason: 'tool_call', toolCallId: 'c' });
    const resume = buildResumeArray(agent.pendingInterrupts, {
      [interrupt!.id]: { status: 'resolved', payload: { approved: true } },
    });
    await agent.runAgent({ resume });
    expect(agent.pendingInterrupts).toEqual([]);
    expect(agent.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', toolCalls: [{ id: 'c' }] },
      { role: 'tool', toolCallId: 'c', content: 'paid' },
      { role: 'assistant', content: 'Paid.' },
    ]);
    agent.addMessage({ id: 'v', role: 'user', content: 'And?' });
    await agent.runAgent();
    expect(model.requests.at(-1)!.messages).toHaveLength(5);
  });

  it('drops what a broken round has streamed', async () => {
    const model = scriptedModel([['Let me see. ', { call: 'add' }], { marbles: '(t#)' }, ['It is 2.']]);
    const runs = agUiRuns(aiService({ model, tools: [add], roundRetries: 1 }));
    const agent = new HttpAgent({ url: await urlOf(serve(runs)) });
    agent.addMessage({ id: 'u', role: 'user', content: 'hello' });
    await agent.runAgent();
    expect(agent.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'hello'],
      ['assistant', 'Let me see. '],
      ['tool', '2'],
      ['assistant', 'It is 2.'],
    ]);
  });

  it('is told of a failure', async () => {
    const runs = agUiRuns(aiService({ model: scriptedModel([{ marbles: '#' }]) }));
    const agent = new HttpAgent({ url: await urlOf(serve(runs)) });
    agent.addMessage({ id: 'u', role: 'user', content: 'hello' });
    const errors: unknown[] = [];
    await agent.runAgent({}, { onRunErrorEvent: ({ event }) => void errors.push(event) });
    expect(errors).toMatchObject([{ type: 'RUN_ERROR', code: 'interrupted' }]);
  });

  it('stops the model when it leaves', async () => {
    const left = new Subject<string>();
    const begun = new Subject<void>();
    const endless: ChatModel = {
      provider: 'endless',
      chat: () =>
        concat(of({ type: 'partialResponse', text: 'x' } as const), new Subject<never>()).pipe(
          tap({ unsubscribe: () => left.next('left') }),
        ),
    };
    const runs = agUiRuns(aiService({ model: endless }));
    const agent = new HttpAgent({ url: await urlOf(serve(runs)) });
    agent.addMessage({ id: 'u', role: 'user', content: 'hello' });
    const isLeft = firstValueFrom(left, { defaultValue: 'never' });
    const hasBegun = firstValueFrom(begun, { defaultValue: undefined });
    const running = agent.runAgent({}, { onTextMessageContentEvent: () => begun.next() });
    await hasBegun;
    agent.abortRun();
    await running;
    expect(await isLeft).toBe('left');
  });
});
