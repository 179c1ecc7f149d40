import process from 'node:process';
import { McpServer, acceptedContent, createMcpHandler, fromJsonSchema, inputRequired } from '@modelcontextprotocol/server';
import { EMPTY, Subject, defer, of } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { mcpClient, type Elicit, type McpClientOptions, type McpElicitationAnswer } from '../../src/mcp/index.ts';
import { contextFor, invoked, only, openClients, until } from './invoked.ts';
import { virtualClock } from './virtual-clock.ts';

// The server's package reads its own version of zod; Node it need not have.
void process.version;

const { opened, closeAll } = openClients();
const handlers: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await closeAll();
  await Promise.all(handlers.splice(0).map((handler) => handler.close()));
});

/** A server of 2026-07-28 in this process: made for each request, as its SDK does. */
function served(fill: (server: McpServer) => void, options: Partial<McpClientOptions> = {}) {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'newest', version: '1' }, { capabilities: { tools: { listChanged: true } } });
    fill(server);
    return server;
  });
  handlers.push(handler);
  const requests: { readonly rpc: string; readonly signal: AbortSignal | undefined }[] = [];
  const fetch = (url: string | URL, init?: RequestInit) => {
    const { method } = JSON.parse(init!.body as string) as { method: string };
    requests.push({ rpc: method, signal: init!.signal ?? undefined });
    return handler.fetch(new Request(url, init));
  };
  const client = opened(mcpClient({ transport: { url: 'http://newest.test/mcp', fetch }, ...options }));
  const count = (rpc: string) => requests.filter((request) => request.rpc === rpc).length;
  return { client, handler, requests, count };
}

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });

describe('a server of 2026-07-28', () => {
  it('is spoken to in its own revision: no handshake, no session', async () => {
    const { client, requests } = served((server) => {
      server.registerTool('hello', { inputSchema: z.object({ name: z.string() }) }, ({ name }) => text(`Hello ${name}`));
    });
    const { executions } = await invoked([client], [{ call: 'hello', arguments: { name: 'Ada' } }]);
    expect(executions[0]!.result).toBe('Hello Ada');
    const methods = requests.map(({ rpc }) => rpc);
    expect(methods[0]).toBe('server/discover');
    expect(methods).not.toContain('initialize');
    expect(client.name).toBe('newest');
  });

  it('[G63] offers the new tools to the next request when its list has changed, and none before', async () => {
    const names = ['one'];
    const { client, handler, count } = served((server) => {
      for (const name of names) server.registerTool(name, {}, () => text(name));
    });
    const first = await only(client.tools());
    await until(() => expect(count('subscriptions/listen')).toBe(1));
    await until(async () => {
      const asked = count('tools/list');
      await only(client.tools());
      expect(count('tools/list')).toBe(asked);
    });
    expect(await only(client.tools())).toBe(first);
    names.push('two');
    handler.notify.toolsChanged();
    await until(async () => expect(await only(client.tools())).toHaveLength(2));
    expect(first.map(({ name }) => name)).toEqual(['one']);
  });

  it('[G63] lets a call end during which the list has changed', async () => {
    const names = ['one'];
    const { client, handler, count } = served((server) => {
      for (const name of names)
        server.registerTool(name, {}, () => {
          names.splice(0, 1, 'two');
          handler.notify.toolsChanged();
          return text(`called ${name}`);
        });
    });
    await only(client.tools());
    await until(() => expect(count('subscriptions/listen')).toBe(1));
    const { executions, told } = await invoked([client], [{ call: 'one' }]);
    expect(executions[0]!.result).toBe('called one');
    expect(told[0]).toEqual(['one']);
    // The history calls what is not offered any more: the model is told of both.
    expect(told[1]).toEqual(['two', 'one']);
  });

  it.each<[string, Elicit]>([
    ['a value', () => ({ action: 'accept', content: { confirm: true } })],
    ['a promise', () => Promise.resolve({ action: 'accept', content: { confirm: true } })],
    ['an Observable', () => defer(() => of({ action: 'accept', content: { confirm: true } } as const))],
  ])('asks the user in the middle of a call, by %s', async (_, elicit) => {
    const asked = vi.fn(elicit);
    const { client } = served(withConfirmation, { elicit: asked });
    const { executions } = await invoked([client], [{ call: 'deploy' }]);
    expect(executions[0]!.result).toBe('deployed');
    expect(asked).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ mode: 'form', message: 'Deploy?' }),
      expect.objectContaining({ server: 'newest', calls: [expect.objectContaining({ request: executions[0]!.request })] }),
    );
  });

  it.each<[string, Elicit]>([
    ['declines', () => ({ action: 'decline' })],
    ['has not decided', () => ({ action: 'cancel' })],
    ['can not be asked, because the callback fails', () => Promise.reject(new Error('secret plan'))],
    ['can not be asked, because the callback says nothing', () => EMPTY],
    ['can not be asked, because the callback says what means nothing', () => ({ action: 'maybe' }) as never],
  ])('is told when the user %s', async (_, elicit) => {
    const { client } = served(withConfirmation, { elicit, logger: { warn: vi.fn(), error: vi.fn(), debug: vi.fn() } });
    const { executions } = await invoked([client], [{ call: 'deploy' }]);
    expect(executions[0]!.result).toBe('not deployed');
  });

  it('counts no time in which a person is asked', async () => {
    const clock = virtualClock();
    const answer = new Subject<McpElicitationAnswer>();
    const elicit = vi.fn(() => answer);
    const { client } = served(withConfirmation, { elicit, timeout: { idle: 150, total: 200 }, scheduler: clock.scheduler });
    const running = invoked([client], [{ call: 'deploy' }]);
    await until(() => expect(elicit).toHaveBeenCalled());
    clock.advance(60_000);
    answer.next({ action: 'accept', content: { confirm: true } });
    const { executions } = await running;
    expect(executions[0]!.result).toBe('deployed');
  });

  it('ends the request of a call that is cancelled', async () => {
    const isCalled = vi.fn();
    const { client, requests } = served((server) => {
      server.registerTool('wait', {}, () => new Promise(isCalled));
    });
    const running = client.callTool('wait', {}, contextFor('wait')).subscribe();
    await until(() => expect(isCalled).toHaveBeenCalled());
    running.unsubscribe();
    expect(requests.find(({ rpc }) => rpc === 'tools/call')!.signal!.aborted).toBe(true);
  });

  it('takes a schema of any kind', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, oneOf: [{ required: ['n'] }], $defs: {} } as const;
    const { client } = served((server) => {
      server.registerTool('odd', { inputSchema: fromJsonSchema<{ n: number }>(schema) }, ({ n }) => text(`n is ${n}`));
    });
    const { executions } = await invoked([client], [{ call: 'odd', arguments: { n: 3 } }]);
    expect(executions[0]!.result).toBe('n is 3');
  });
});

function withConfirmation(server: McpServer): void {
  server.registerTool('deploy', {}, (context) => {
    const schema = z.object({ confirm: z.boolean() });
    const responses = context.mcpReq.inputResponses;
    if (responses === undefined)
      return inputRequired({ inputRequests: { confirm: inputRequired.elicit({ message: 'Deploy?', requestedSchema: schema }) } });
    return text(acceptedContent(responses, 'confirm', schema)?.confirm === true ? 'deployed' : 'not deployed');
  });
}
