import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { mcpClient } from '../../src/mcp/index.ts';
import { everythingOverHttp } from './everything.ts';
import { contextFor, invoked, only, openClients, until, warnings } from './invoked.ts';

const { opened, closeAll } = openClients();
const stops: (() => unknown)[] = [];
afterEach(async () => {
  await closeAll();
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

async function started(port?: number) {
  const server = await everythingOverHttp(port);
  stops.push(server.stop);
  return server;
}

/** Notes what is sent. */
function watchedFetch() {
  const sent: { readonly method: string; readonly rpc?: string; readonly session: string | null; readonly headers: Headers }[] =
    [];
  const watched = (url: string | URL, init?: RequestInit) => {
    const headers = new Headers(init?.headers);
    const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as { method?: string }) : {};
    sent.push({
      method: init?.method ?? 'GET',
      ...(body.method && { rpc: body.method }),
      session: headers.get('mcp-session-id'),
      headers,
    });
    return fetch(url, init);
  };
  return { sent, fetch: watched, calls: (rpc: string) => sent.filter((request) => request.rpc === rpc) };
}

const echo = (message: string) => ({ call: 'echo', arguments: { message } });

describe('a server over Streamable HTTP', () => {
  it('offers its tools, with progress, and sends the headers that it was given', async () => {
    const { url } = await started();
    const watched = watchedFetch();
    const client = opened(mcpClient({ transport: { url, headers: { 'x-tenant': 'blue' }, fetch: watched.fetch } }));
    const { executions, events } = await invoked(
      [client],
      [echo('hi'), { call: 'trigger-long-running-operation', arguments: { duration: 0.1, steps: 2 } }],
    );
    expect(executions[0]!.result).toBe('Echo: hi');
    expect(events.filter(({ type }) => type === 'toolProgress')).toHaveLength(2);
    expect(watched.sent.every(({ headers }) => headers.get('x-tenant') === 'blue')).toBe(true);
  });

  it('[G60] opens a new session when the old one is gone, and sends the calls once more: once each', async () => {
    const first = await started();
    const watched = watchedFetch();
    const client = opened(mcpClient({ transport: { url: first.url, fetch: watched.fetch }, versionNegotiation: 'legacy' }));
    await invoked([client], [echo('before')]);
    const old = watched.calls('tools/call')[0]!.session;
    await first.stop();
    await started(first.port);
    const { executions } = await invoked([client], [echo('one'), echo('two'), echo('three')]);
    expect(executions.map(({ result }) => result)).toEqual(['Echo: one', 'Echo: two', 'Echo: three']);
    const handshakes = watched.calls('initialize');
    expect(handshakes.map(({ session }) => session)).toEqual([null, null]);
    const sessions = watched.calls('tools/call').map(({ session }) => session);
    expect(sessions.filter((session) => session !== old)).toHaveLength(3);
  });

  it('[G60] does the same for a call whose session is gone between the list and the call', async () => {
    const first = await started();
    const watched = watchedFetch();
    const client = opened(mcpClient({ transport: { url: first.url, fetch: watched.fetch } }));
    await only(client.tools());
    await first.stop();
    await started(first.port);
    const calls = ['one', 'two'].map((message) => only(client.callTool('echo', { message }, contextFor('echo'))));
    const results = await Promise.all(calls);
    expect(results.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'Echo: one' }],
      [{ type: 'text', text: 'Echo: two' }],
    ]);
    expect(watched.calls('initialize')).toHaveLength(2);
  });

  it('errors a call whose server is gone while it waits, and does not repeat it', async () => {
    const server = await started();
    const client = opened(mcpClient({ name: 'remote', transport: { url: server.url } }));
    const isUnderWay = vi.fn();
    const args = { duration: 30, steps: 300 };
    const call = only(
      client.callTool('trigger-long-running-operation', args, contextFor('trigger-long-running-operation', isUnderWay)),
    );
    const failure = expect(call).rejects.toThrow('mcp server remote: the request failed: Connection closed');
    await until(() => expect(isUnderWay).toHaveBeenCalled());
    await server.stop();
    await failure;
  });

  it('tells the server when a call is cancelled, and of the end of the session when it is closed', async () => {
    const { url } = await started();
    const watched = watchedFetch();
    const client = opened(mcpClient({ transport: { url, fetch: watched.fetch } }));
    const isUnderWay = vi.fn();
    const args = { duration: 30, steps: 300 };
    const running = client
      .callTool('trigger-long-running-operation', args, contextFor('trigger-long-running-operation', isUnderWay))
      .subscribe();
    await until(() => expect(isUnderWay).toHaveBeenCalled());
    running.unsubscribe();
    await until(() => expect(watched.calls('notifications/cancelled')).toHaveLength(1));
    await client.close();
    expect(watched.sent.at(-1)).toMatchObject({ method: 'DELETE', session: expect.any(String) as string });
  });

  it('is tried again at the next invocation when it could not be reached', async () => {
    const first = await started();
    await first.stop();
    const { lines, logger } = warnings();
    const client = opened(mcpClient({ name: 'remote', transport: { url: first.url } }));
    const before = await invoked([client], ['fine'], { logger });
    expect(before.told[0]).toEqual([]);
    expect(lines.join()).toContain('mcp server remote: it could not be connected to');
    expect(lines.join()).toContain('ECONNREFUSED');
    await started(first.port);
    const after = await invoked([client], ['fine'], { logger });
    expect(after.told[0]).toContain('echo');
  });

  it('quotes no key in what it tells of a server that repeats it', async () => {
    const url = await answering(401, (authorization) => `{"error":"bad token ${authorization}"}`);
    const { lines, logger } = warnings();
    const client = opened(
      mcpClient({
        name: 'remote',
        transport: { url, headers: { authorization: 'Bearer sk-4711-geheim' } },
        versionNegotiation: 'legacy',
      }),
    );
    await invoked([client], ['fine'], { logger });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('bad token');
    expect(lines[0]).not.toContain('geheim');
  });

  it('is not waited for again at once when it did not answer in time', async () => {
    const url = await answering(undefined);
    const client = opened(mcpClient({ name: 'remote', transport: { url }, timeout: { connect: 100 } }));
    const { logger } = warnings();
    const { executions } = await invoked([client], [{ call: 'none' }], { logger }, { hallucinatedToolNameStrategy: () => 'no' });
    expect(executions).toHaveLength(1);
    await expect(only(client.tools())).rejects.toThrow('no answer within 100 ms');
  });
});

/** A server that gives one answer to all, or none. */
async function answering(status: number | undefined, body: (authorization: string) => string = () => ''): Promise<string> {
  const server: Server = createServer((request, response) => {
    if (status === undefined) return;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body(request.headers.authorization ?? ''));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}
