import type { Tool as McpTool } from '@modelcontextprotocol/client';
import { EMPTY, NEVER, of, throwError, type Observable } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import type { Tool, ToolProvider } from '../../src/index.ts';
import type { McpClient } from '../../src/mcp/mcp-client.ts';
import { mcpToolProvider, type McpToolProviderOptions } from '../../src/mcp/mcp-tool-provider.ts';
import { watch } from '../chat/watch.ts';
import { warnings, only } from './invoked.ts';

const mcpTool = (name: string, annotations?: McpTool['annotations']): McpTool => ({
  name,
  inputSchema: { type: 'object', properties: {} },
  ...(annotations && { annotations }),
});

function fakeClient(name: string, tools: Observable<readonly McpTool[]>): McpClient {
  return { name, tools: () => tools, callTool: () => NEVER, close: () => Promise.resolve() };
}

/** What is offered, at once: nothing between a client and the service takes time. */
function offered(provider: ToolProvider): readonly Tool[] {
  const { values, error, end } = watch(provider.provideTools({} as never) as Observable<readonly Tool[]>);
  if (end === 'error') throw error;
  return values[0]!;
}

const offer = (tools: readonly McpTool[], options: Omit<McpToolProviderOptions, 'clients'> = {}) =>
  offered(mcpToolProvider({ clients: [fakeClient('files', of(tools))], ...options }));

const namesOf = (tools: readonly Tool[]) => tools.map(({ specification: { name } }) => name);

describe('mcpToolProvider', () => {
  it('is asked before each request by default, and once per invocation where that is wanted', () => {
    expect(mcpToolProvider({ clients: [] }).isDynamic).toBe(true);
    expect(mcpToolProvider({ clients: [], isDynamic: false }).isDynamic).toBe(false);
    expect(mcpToolProvider({ clients: [] }).provideTools({} as never)).toEqual([]);
  });

  it('asks a person before what says that it destroys, and orders what does not say that it only reads', () => {
    const tools = offer([
      mcpTool('plain'),
      mcpTool('reads', { readOnlyHint: true }),
      mcpTool('destroys', { destructiveHint: true }),
      mcpTool('both', { readOnlyHint: true, destructiveHint: true }),
      mcpTool('adds', { readOnlyHint: false, destructiveHint: false }),
    ]);
    const traits = tools.map(({ execution, needsApproval }) => [execution, needsApproval !== undefined]);
    expect(traits).toEqual([
      ['sequential', false],
      ['parallel', false],
      ['sequential', true],
      ['parallel', false],
      ['sequential', false],
    ]);
  });

  it('lets the application have the last word on how calls are treated', () => {
    const mapTraits = vi.fn<NonNullable<McpToolProviderOptions['mapTraits']>>((traits) => ({
      ...traits,
      needsApproval: false,
      returnBehavior: 'immediate',
    }));
    const [tool] = offer([mcpTool('destroys', { destructiveHint: true })], { mapTraits });
    expect(tool).toMatchObject({ returnBehavior: 'immediate', execution: 'sequential' });
    expect(tool!.needsApproval).toBeUndefined();
    expect(mapTraits.mock.calls[0]!.slice(1)).toEqual([
      expect.objectContaining({ name: 'destroys' }),
      expect.objectContaining({ name: 'files' }),
    ]);
  });

  it('offers what passes the filter, by names and specifications of one’s own', () => {
    const tools = offer([mcpTool('read'), mcpTool('write'), mcpTool('stat')], {
      filter: ({ name }) => name !== 'write',
      mapName: ({ name }, client) => `${client.name}.${name}`,
      mapSpecification: (specification, { name }) => ({ ...specification, description: `Does ${name}.` }),
      alwaysVisible: ['files.stat'],
    });
    expect(
      tools.map(({ specification, searchBehavior }) => [specification.name, specification.description, searchBehavior]),
    ).toEqual([
      ['files.read', 'Does read.', undefined],
      ['files.stat', 'Does stat.', 'alwaysVisible'],
    ]);
  });

  it('never gives two tools one name, whatever they are mapped to', () => {
    const tools = offer([mcpTool('a'), mcpTool('b'), mcpTool('c')], { mapName: () => 'same' });
    expect(namesOf(tools)).toEqual(['same', 'files_same', 'files_same_2']);
  });

  it('calls a tool the same as before when the server that has its name goes away, or comes back', () => {
    let first: Observable<readonly McpTool[]> = throwError(() => new Error('down'));
    const clients = [{ ...fakeClient('files', EMPTY), tools: () => first }, fakeClient('mail', of([mcpTool('search')]))];
    const provider = mcpToolProvider({ clients, logger: warnings().logger });
    expect(namesOf(offered(provider))).toEqual(['search']);
    first = of([mcpTool('search')]);
    expect(namesOf(offered(provider))).toEqual(['files_search', 'search']);
    first = of([]);
    expect(namesOf(offered(provider))).toEqual(['search']);
  });

  it('hands out the same tools as long as the lists are the same, and an array that nobody changes', () => {
    const list = [mcpTool('a')];
    let current: readonly McpTool[] = list;
    const provider = mcpToolProvider({ clients: [{ ...fakeClient('files', EMPTY), tools: () => of(current) }] });
    const before = offered(provider);
    expect(offered(provider)).toBe(before);
    expect(() => (before as Tool[]).push(before[0]!)).toThrow(TypeError);
    current = [mcpTool('b')];
    expect(namesOf(offered(provider))).toEqual(['b']);
    expect(namesOf(before)).toEqual(['a']);
  });

  it('leaves a server out that fails, with a warning, unless that is to fail the invocation', async () => {
    const { lines, logger } = warnings();
    const clients = [
      fakeClient(
        'down',
        throwError(() => new Error('no route')),
      ),
      fakeClient('up', of([mcpTool('a')])),
    ];
    expect(namesOf(offered(mcpToolProvider({ clients, logger })))).toEqual(['a']);
    expect(lines).toEqual(['mcp server down: its tools are left out. Error: no route']);
    const strict = mcpToolProvider({ clients, failIfOneServerFails: true });
    await expect(only(strict.provideTools({} as never) as Observable<unknown>)).rejects.toThrow('no route');
  });

  it.each<[string, unknown, string]>([
    ['clients', {}, 'mcpToolProvider: clients is undefined; it must be an array of what mcpClient({ … }) returns.'],
    [
      'a client',
      { clients: [{ close() {} }] },
      'mcpToolProvider: clients[0] is an object with close; it must have the methods tools, callTool, close.',
    ],
    [
      'no client',
      { clients: [undefined] },
      'mcpToolProvider: clients[0] is undefined; it must be what mcpClient({ … }) returns.',
    ],
    ['a filter', { clients: [], filter: ['a'] }, 'mcpToolProvider: filter is ["a"]; it must be a function.'],
    ['visible', { clients: [], alwaysVisible: 'a' }, 'mcpToolProvider: alwaysVisible is "a"; it must be an array of names.'],
    ['a flag', { clients: [], failIfOneServerFails: 1 }, 'mcpToolProvider: failIfOneServerFails is 1; it must be true or false.'],
    [
      'a typing error',
      { clients: [], filters: 1 },
      'mcpToolProvider: unknown option filters (did you mean filter?); there are clients, filter, mapName,',
    ],
  ])('says what is wrong with %s', (_, options, message) => {
    expect(() => mcpToolProvider(options as never)).toThrow(message);
  });
});
