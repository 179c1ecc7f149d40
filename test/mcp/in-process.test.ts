import process from 'node:process';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { NEVER, firstValueFrom } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { mcpClient, McpApplicationError, type McpClientOptions } from '../../src/mcp/index.ts';
import { contextFor, invoked, only, openClients, until, warnings } from './invoked.ts';
import { virtualClock } from './virtual-clock.ts';

// Servers are for Node.
void process.version;

const { opened, closeAll } = openClients();
afterEach(closeAll);

type Call = (name: string, args: unknown, tell: (progress: number) => Promise<void>) => unknown;

const question = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } } as const;

/** A server of 2025 whose answers are those of the test, odd ones too. */
function served(list: (cursor: string | undefined) => unknown, call: Call, options: Partial<McpClientOptions> = {}) {
  let server: Server | undefined;
  const transport = async () => {
    server = new Server({ name: 'odd', version: '1' }, { capabilities: { tools: { listChanged: true } } });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    server.setRequestHandler('tools/list', ({ params }) => list(params?.cursor) as never);
    server.setRequestHandler('tools/call', async ({ params: { name, arguments: args, _meta } }, { mcpReq }) => {
      const tell = async (progress: number) => {
        const { progressToken } = _meta ?? {};
        if (progressToken === undefined) throw new Error('there is no progress token');
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress } });
      };
      return (await call(name, args, tell)) as never;
    });
    server.oninitialized = () => Object.assign(ours, { sessionId: 's1' });
    await server.connect(theirs);
    return ours;
  };
  const client = opened(mcpClient({ transport, ...options }));
  return { client, changed: () => server!.sendToolListChanged(), ask: () => server!.elicitInput(question) };
}

const named = (...names: readonly string[]) => ({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) });
const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

describe('a server of 2025', () => {
  it('[G58] offers the tools of all pages', async () => {
    const names = Array.from({ length: 101 }, (_, place) => `tool_${place}`);
    const { client } = served(
      (cursor) => {
        const begin = Number(cursor ?? 0);
        const page = named(...names.slice(begin, begin + 50));
        return begin + 50 < names.length ? { ...page, nextCursor: String(begin + 50) } : page;
      },
      () => text('fine'),
    );
    const { told } = await invoked([client], ['fine']);
    expect(told[0]).toEqual(names);
  });

  it('[G59] tells the model of isError with its text, and leaves the result on the error', async () => {
    const result = { ...text('There is no such file.'), isError: true };
    const { client } = served(
      () => named('read'),
      () => result,
    );
    const { executions } = await invoked([client], [{ call: 'read' }]);
    expect(executions[0]).toMatchObject({ hasFailed: true, result: 'There is no such file.' });
    expect(executions[0]!.error).toBeInstanceOf(McpApplicationError);
    expect((executions[0]!.error as McpApplicationError).result).toMatchObject(result);
  });

  it('[G59] tells the model of a structure without content as JSON, and leaves the result on the execution', async () => {
    const { client } = served(
      () => named('list'),
      () => ({ content: [], structuredContent: { files: ['a', 'b'] } }),
    );
    const { executions } = await invoked([client], [{ call: 'list' }]);
    expect(executions[0]).toMatchObject({
      result: '{"files":["a","b"]}',
      resultObject: { structuredContent: { files: ['a', 'b'] } },
    });
  });

  it.each<[string, Call, RegExp]>([
    ['isError without a text', () => ({ content: [], isError: true }), /read failed, and does not say why/],
    ['isError with a blank text', () => ({ ...text('  '), isError: true }), /read failed, and does not say why/],
    ['an error of the protocol', () => Promise.reject(new Error('boom')), /mcp server odd: the request failed: boom/],
  ])('fails the invocation by %s: it is not meant for the model', async (_, call, message) => {
    const { client } = served(() => named('read'), call);
    await expect(invoked([client], [{ call: 'read' }])).rejects.toThrow(message);
  });

  it.each([{ status: 404 }, { status: 400, text: 'no session' }])(
    'sends a call once whose answer is an error with the data %o: it may have run',
    async (data) => {
      const call = vi.fn(() => Promise.reject(Object.assign(new Error('declined'), { code: -32_000, data })));
      const { client } = served(() => named('pay'), call);
      await expect(invoked([client], [{ call: 'pay' }])).rejects.toThrow('the request failed: declined');
      expect(call).toHaveBeenCalledOnce();
    },
  );

  it('[G14] gives the model head and tail of a huge result, and the application all of it', async () => {
    const huge = `begin${'x'.repeat(5_000_000)}end`;
    const { client } = served(
      () => named('read'),
      () => text(huge),
    );
    const requests: unknown[] = [];
    const { executions } = await invoked(
      [client],
      [{ call: 'read' }],
      {},
      { maxToolResultLength: 20_000, chatRequestTransformer: (request) => (requests.push(request.messages.at(-1)), request) },
    );
    const { contents } = requests[1] as { contents: readonly { text: string }[] };
    expect(contents[0]!.text.length).toBeLessThanOrEqual(20_000);
    expect(contents[0]!.text).toMatch(/^beginx.*are missing here.*xend$/s);
    expect(executions[0]!.result).toBe(huge);
  });

  it('[G61] lets a call of 90 s run that tells of its progress, with a limit of 60 s', async () => {
    const clock = virtualClock();
    const steps: ((progress: number) => Promise<void>)[] = [];
    const ends: ((result: unknown) => void)[] = [];
    const { client } = served(
      () => named('long'),
      (_, __, tell) => new Promise((resolve) => (steps.push(tell), ends.push(resolve))),
      { scheduler: clock.scheduler },
    );
    const told = vi.fn();
    const call = only(client.callTool('long', {}, contextFor('long', told)));
    await until(() => expect(steps).toHaveLength(1));
    for (const progress of [1, 2]) {
      clock.advance(45_000);
      await steps[0]!(progress);
      await until(() => expect(told).toHaveBeenCalledTimes(progress));
    }
    expect(told.mock.calls).toEqual([[{ progress: 1 }], [{ progress: 2 }]]);
    ends[0]!(text('done'));
    expect(await call).toMatchObject(text('done'));
  });

  it.each([
    ['tells nothing for too long', { idle: 60_000 }, 60_000, 'told nothing for 60000 ms'],
    ['takes too long in all', { total: 50_000 }, 50_000, 'took longer than 50000 ms'],
  ])('[G61] stops a call that %s, and tells the model and the server', async (_, timeout, duration, message) => {
    const clock = virtualClock();
    const isCalled = vi.fn();
    const { client } = served(
      () => named('long'),
      () => new Promise(isCalled),
      { scheduler: clock.scheduler, timeout },
    );
    const running = invoked([client], [{ call: 'long' }]);
    await until(() => expect(isCalled).toHaveBeenCalled());
    clock.advance(duration);
    const { executions } = await running;
    expect(executions[0]).toMatchObject({ hasFailed: true, error: { name: 'ToolTimeoutError' } });
    expect(executions[0]!.result).toContain(message);
  });

  it('is told at once that nobody has decided when it asks while no call runs, and nobody is asked', async () => {
    const { lines, logger } = warnings();
    const elicit = vi.fn(() => NEVER);
    const { client, ask } = served(
      () => named('long'),
      () => text('done'),
      { elicit, logger },
    );
    await only(client.tools());
    expect(await ask()).toEqual({ action: 'cancel' });
    expect(elicit).not.toHaveBeenCalled();
    expect(lines).toEqual([expect.stringContaining('it asks the user while no call runs')]);
  });

  it('can not stop the clock of a later call by asking, and its question goes when the calls that ran have ended', async () => {
    const clock = virtualClock();
    const isCalled = vi.fn();
    const elicit = vi.fn(() => NEVER);
    const { client, ask } = served(
      () => named('long'),
      () => new Promise(isCalled),
      { elicit, scheduler: clock.scheduler },
    );
    const first = client.callTool('long', {}, contextFor('long')).subscribe();
    await until(() => expect(isCalled).toHaveBeenCalledTimes(1));
    const answer = ask();
    await until(() => expect(elicit).toHaveBeenCalled());
    const later = expect(only(client.callTool('long', {}, contextFor('long')))).rejects.toThrow('told nothing for 60000 ms');
    await until(() => expect(isCalled).toHaveBeenCalledTimes(2));
    first.unsubscribe();
    expect(await answer).toEqual({ action: 'cancel' });
    clock.advance(60_000);
    await later;
  });

  it('that does not tell its tools in time is not asked again for as long', async () => {
    let asked = 0;
    const { client } = served(
      () => (asked++, new Promise(() => undefined)),
      () => text('fine'),
      { timeout: { connect: 50 } },
    );
    for (let ask = 0; ask < 3; ask++)
      await expect(firstValueFrom(client.tools(), { defaultValue: [] })).rejects.toThrow(/mcp server/);
    expect(asked).toBe(1);
  });

  it('[G63] has one set of tools in a round, and the next one when the list has changed', async () => {
    let names = ['one'];
    const { client, changed } = served(
      () => named(...names),
      async () => {
        names = ['two'];
        await changed();
        return text('called');
      },
    );
    const before = await only(client.tools());
    const { executions, told } = await invoked([client], [{ call: 'one' }]);
    expect(executions[0]!.result).toBe('called');
    expect(told).toEqual([['one'], ['two', 'one']]);
    expect(before.map(({ name }) => name)).toEqual(['one']);
  });

  it('is asked for its list once, and by many at the same time', async () => {
    const list = vi.fn(() => named('one'));
    const { client } = served(list, () => text('fine'));
    await Promise.all([invoked([client], [{ call: 'one' }]), invoked([client], [{ call: 'one' }])]);
    const lists = await Promise.all([only(client.tools()), only(client.tools())]);
    expect(lists[0]).toBe(lists[1]);
    expect(list.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it('keeps its good tools when others are odd, and calls those that can be called', async () => {
    const { lines, logger } = warnings();
    const odd = [
      { name: 'no_schema' },
      { name: 'true_schema', inputSchema: true },
      { name: 'list_schema', inputSchema: { type: 'array', properties: [], required: 'x' } },
      {
        name: 'loop',
        inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { $ref: '#/$defs/a' } } },
      },
      { name: 'bad_reference', inputSchema: { type: 'object', properties: { a: { $ref: 'https://example.org/a.json' } } } },
      { name: 'bad_pattern', inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '(' } } } },
      { name: 'bad_output', inputSchema: { type: 'object' }, outputSchema: { type: 'string', pattern: '(' } },
      {
        name: 'bad_rest',
        title: 7,
        description: null,
        inputSchema: { type: 'object' },
        annotations: { readOnlyHint: 'yes' },
        icons: 3,
      },
      { inputSchema: { type: 'object' } },
      null,
    ];
    const { client } = served(
      () => ({ tools: [...odd, { name: 'good', inputSchema: { type: 'object', properties: {} } }] }),
      (name, args) => text(`${name} ${JSON.stringify(args)}`),
      { logger },
    );
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const names = [
      'no_schema',
      'true_schema',
      'list_schema',
      'loop',
      'bad_reference',
      'bad_pattern',
      'bad_output',
      'bad_rest',
      'good',
    ];
    const { executions, told } = await invoked(
      [client],
      names.map((call) => ({ call, arguments: { a: 'x' } })),
    );
    warn.mockRestore();
    expect(told[0]).toEqual(names);
    expect(executions.map(({ result }) => result)).toEqual(names.map((name) => `${name} {"a":"x"}`));
    expect(lines).toHaveLength(2);
  });

  it('keeps its good tools when the schema of one is absurdly deep', async () => {
    let schema: object = { type: 'object' };
    for (let depth = 0; depth < 2_000; depth++) schema = { type: 'object', properties: { a: schema } };
    const { lines, logger } = warnings();
    const { client } = served(
      () => ({ tools: [{ name: 'deep', inputSchema: schema }, ...named('good').tools] }),
      (name) => text(name),
      { logger },
    );
    const { executions } = await invoked([client], [{ call: 'deep' }, { call: 'good' }]);
    expect(executions.map(({ result }) => result)).toEqual(['deep', 'good']);
    expect(lines).toEqual([expect.stringContaining('the schema of its tool deep is too large or too deep')]);
  });

  it('is one of several with tools of the same name: none hides another', async () => {
    const servers = ['files', 'mail', 'mail'].map(
      (name, place) =>
        served(
          () => named('search'),
          () => text(`${name} ${place}`),
          { name },
        ).client,
    );
    const calls = ['search', 'mail_search', 'mail_search_2'];
    const { executions, told } = await invoked(
      servers,
      calls.map((call) => ({ call })),
    );
    expect(told[0]).toEqual(calls);
    expect(executions.map(({ result }) => result)).toEqual(['files 0', 'mail 1', 'mail 2']);
  });
});
