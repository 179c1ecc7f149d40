import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { inspect } from 'node:util';
import { Observable, of } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { mcpClient, type McpElicitation } from '../../src/mcp/index.ts';
import { everything, isAlive, script } from './everything.ts';
import { contextFor, invoked, only, openClients, until, warnings } from './invoked.ts';

const { opened, closeAll } = openClients();
afterEach(closeAll);

const contents = ({ resultContents }: { resultContents: readonly unknown[] }) => resultContents;

describe('a server that is a program', () => {
  it('offers its tools, and gives the model what they come to', async () => {
    const client = opened(mcpClient({ transport: everything }));
    const { executions, told } = await invoked(
      [client],
      [
        { call: 'echo', arguments: { message: 'hi' } },
        { call: 'get-structured-content', arguments: { location: 'Chicago' } },
        { call: 'get-tiny-image' },
        { call: 'get-resource-links', arguments: { count: 1 } },
        { call: 'get-resource-reference', arguments: { resourceType: 'Text', resourceId: 1 } },
        { call: 'get-annotated-message', arguments: { messageType: 'error' } },
      ],
    );
    const [echo, structured, image, links, reference, annotated] = executions.map(contents);
    expect(told[0]).toContain('trigger-long-running-operation');
    expect(echo).toEqual([{ type: 'text', text: 'Echo: hi' }]);
    expect(structured).toEqual([{ type: 'text', text: expect.stringContaining('"temperature"') as string }]);
    expect(image).toContainEqual({ type: 'image', mediaType: 'image/png', data: expect.any(String) as string });
    expect(links).toContainEqual({ type: 'text', text: expect.stringMatching(/^\[resource .*: demo:\/\//) as string });
    expect(reference).toContainEqual({ type: 'text', text: expect.stringContaining('This is a plaintext resource') as string });
    expect(annotated).toEqual([{ type: 'text', text: 'Error: Operation failed' }]);
    expect(client.name).toBe('mcp-servers/everything');
  });

  it('tells of a result with a structure in full on the execution, and in the history if that is wanted', async () => {
    const client = opened(mcpClient({ transport: everything }));
    const call = [{ call: 'get-structured-content', arguments: { location: 'Chicago' } }];
    const plain = (await invoked([client], call)).executions[0]!;
    const kept = (await invoked([client], call, { returnToolResultAttributes: true })).executions[0]!;
    expect(plain.resultObject).toMatchObject({ structuredContent: { temperature: expect.any(Number) as number } });
    expect(plain.attributes).toBeUndefined();
    expect(kept.attributes).toEqual({
      structuredContent: (plain.resultObject as { structuredContent: unknown }).structuredContent,
    });
  });

  it('tells of progress while a tool runs, and not of the result as if it were progress', async () => {
    const client = opened(mcpClient({ transport: everything }));
    const { events } = await invoked(
      [client],
      [{ call: 'trigger-long-running-operation', arguments: { duration: 0.1, steps: 2 } }],
    );
    const progress = events.flatMap((event) => (event.type === 'toolProgress' ? [event.value] : []));
    expect(progress).toEqual([
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ]);
  });

  it('lets what only reads run beside itself, and asks nobody', async () => {
    const client = opened(mcpClient({ transport: everything }));
    const { executions } = await invoked(
      [client],
      [1, 2, 3].map(() => ({ call: 'trigger-long-running-operation', arguments: { duration: 0.3, steps: 1 } })),
    );
    const starts = executions.map(({ startTime }) => startTime);
    const firstEnd = Math.min(...executions.map(({ finishTime }) => finishTime));
    expect(Math.max(...starts)).toBeLessThan(firstEnd);
  });

  it('tells the model what is wrong with arguments before the server sees them', async () => {
    const client = opened(mcpClient({ transport: everything }));
    const { executions } = await invoked([client], [{ call: 'get-sum', arguments: { a: 'one', b: 2 } }]);
    expect(executions[0]).toMatchObject({ hasFailed: true, result: expect.stringContaining('a: ') as string });
  });

  it('asks the user by a callback, whatever it returns, and only while the call runs', async () => {
    const asked: McpElicitation[] = [];
    const who: string[] = [];
    const client = opened(
      mcpClient({
        transport: everything,
        elicit: (request, { calls, server }) => {
          asked.push(request);
          who.push(server, ...calls.map(({ request: { name } }) => name));
          return of({ action: 'accept', content: { name: 'Ada' } } as const);
        },
      }),
    );
    const { executions } = await invoked([client], [{ call: 'trigger-elicitation-request' }]);
    expect(asked[0]).toMatchObject({ mode: 'form', requestedSchema: { type: 'object' } });
    expect(who).toEqual(['mcp-servers/everything', 'trigger-elicitation-request']);
    expect(executions[0]!.result).toContain('Ada');
  });

  it('stops asking when the invocation is left', async () => {
    const elicit = vi.fn();
    const leave = vi.fn();
    const client = opened(
      mcpClient({
        transport: everything,
        elicit: () =>
          new Observable(() => {
            elicit();
            return leave;
          }),
      }),
    );
    const running = client.callTool('trigger-elicitation-request', {}, contextFor('trigger-elicitation-request')).subscribe();
    await until(() => expect(elicit).toHaveBeenCalled());
    expect(leave).not.toHaveBeenCalled();
    running.unsubscribe();
    expect(leave).toHaveBeenCalledOnce();
  });

  it('[G62] ends what runs with an error when it is closed, and the program is gone', async () => {
    const client = opened(mcpClient({ name: 'files', transport: script(stuck) }));
    const [tool] = await only(client.tools());
    const pid = Number(tool!.description);
    const call = only(client.callTool('wait', {}, contextFor('wait')));
    const failure = expect(call).rejects.toThrow('mcp server files: the client was closed.');
    await client.close();
    await failure;
    expect(isAlive(pid)).toBe(false);
    await expect(only(client.tools())).rejects.toThrow('mcp server files: the client was closed.');
    await client.close();
  });

  it('[G62] lets node end once it is closed', () => {
    const code = `
      import { mcpClient } from './src/mcp/index.ts';
      import { firstValueFrom } from 'rxjs';
            const client = mcpClient({ transport: ${JSON.stringify(everything)} });
      console.log((await firstValueFrom(client.tools())).length > 10);
      await client.close();`;
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect({ stdout, status }, stderr).toEqual({ stdout: 'true\n', status: 0 });
  });

  it('errors a call whose server was killed, and starts it again for the next one', async () => {
    const client = opened(mcpClient({ name: 'files', transport: script(stuck) }));
    const [tool] = await only(client.tools());
    const call = only(client.callTool('wait', {}, contextFor('wait')));
    const failure = expect(call).rejects.toThrow(/mcp server files: .*Connection closed/);
    process.kill(Number(tool!.description), 'SIGKILL');
    await failure;
    const [again] = await only(client.tools());
    expect(again!.name).toBe('wait');
    expect(again!.description).not.toBe(tool!.description);
  });

  it('goes on without a server that can not be started, ends at once, or talks nonsense', async () => {
    const { logger, lines } = warnings();
    const timeout = { connect: 1_000 };
    const gone = opened(mcpClient({ name: 'gone', transport: { command: '/nowhere/to/be/found' }, timeout }));
    const short = opened(mcpClient({ name: 'short', transport: script('process.exit(3)'), timeout }));
    const noisy = opened(
      mcpClient({ name: 'noisy', transport: script('console.log("<html>"); setInterval(() => {}, 9e9)'), timeout }),
    );
    const good = opened(mcpClient({ name: 'good', transport: script(`console.log('Hello!');${stuck}`) }));
    const { told } = await invoked([gone, short, noisy, good], ['fine'], { logger });
    expect(told[0]).toEqual(['wait']);
    const reasons = ['gone', 'short', 'noisy'].map(
      (name) => lines.filter((line) => line.startsWith(`mcp server ${name}: `)).length,
    );
    expect(reasons).toEqual([1, 1, 1]);
    expect(lines.join()).toContain('ENOENT');
    expect(lines.join()).toContain('no answer within 1000 ms');
  });

  it('quotes no secret that a program was started with, in no property of the error', async () => {
    const secrets = ['sk-env-1', 'sk-flag-2', 'sk-value-3', 'sk-pw-4'];
    const args = ['-', '--api-key', 'sk-flag-2', '--token=sk-value-3', 'postgres://me:sk-pw-4@host/db'];
    const env = { ANYTHING: 'sk-env-1' };
    const gone = opened(mcpClient({ name: 'gone', transport: { command: '/nowhere/at/all', args, env } }));
    const program = script(refusing(secrets.join(' ')));
    const rude = opened(
      mcpClient({
        name: 'rude',
        transport: { ...program, args: [...program.args, ...args], env },
        versionNegotiation: 'legacy',
      }),
    );
    for (const client of [gone, rude]) {
      const error: unknown = await only(client.tools()).catch((thrown: unknown) => thrown);
      const text = inspect(error, { depth: 9, showHidden: true });
      expect(text).toContain('it could not be connected to');
      for (const secret of secrets) expect(text).not.toContain(secret);
    }
  });

  it('fails the invocation instead, where that is wanted', async () => {
    const gone = opened(mcpClient({ name: 'gone', transport: { command: '/nowhere/to/be/found' } }));
    await expect(invoked([gone], ['fine'], { failIfOneServerFails: true })).rejects.toThrow(
      'mcp server gone: it could not be connected to',
    );
  });

  it('leaves no program behind that is closed while it starts', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'mcp-')), 'pid');
    const code = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 9e8)`;
    const client = opened(mcpClient({ name: 'slow', transport: script(code), versionNegotiation: 'legacy' }));
    const tools = expect(only(client.tools())).rejects.toThrow('the client was closed');
    await until(() => expect(readFileSync(file, 'utf8')).toMatch(/./));
    await client.close();
    await tools;
    await until(() => expect(isAlive(Number(readFileSync(file, 'utf8')))).toBe(false));
  });
});

/** Answers all with an error. */
const refusing = (message: string) => `
  require('node:readline').createInterface(process.stdin).on('line', (line) => {
    const { id } = JSON.parse(line);
    console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: ${JSON.stringify(message)} } }));
  });`;

/** Has one tool that never ends, and says by its description which process it is. */
const stuck = `
  const { createInterface } = require('node:readline');
  const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  createInterface(process.stdin).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (method === 'initialize') answer(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
    else if (method === 'tools/list') answer(id, { tools: [{ name: 'wait', description: String(process.pid), inputSchema: { type: 'object' } }] });
    else if (id !== undefined && method !== 'tools/call') console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }));
  });`;
