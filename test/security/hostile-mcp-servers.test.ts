import process from 'node:process';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it } from 'vitest';
import { mcpClient } from '../../src/mcp/index.ts';
import { withoutPatterns } from '../../src/mcp/without-patterns.ts';
import { invoked, openClients } from '../mcp/invoked.ts';
import { expectPlain, expectUnpolluted, hostileJson, hostileNames } from './prototypes.ts';

// Servers are for Node.
void process.version;

const { opened, closeAll } = openClients();
afterEach(closeAll);
afterEach(expectUnpolluted);

/** A server with these tools, which says what it is called with. */
function served(tools: readonly object[], result: (args: unknown) => unknown) {
  const transport = async () => {
    const server = new Server({ name: 'hostile', version: '1' }, { capabilities: { tools: {} } });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    server.setRequestHandler('tools/list', () => ({ tools }) as never);
    server.setRequestHandler('tools/call', ({ params }) => result(params.arguments) as never);
    await server.connect(theirs);
    return ours;
  };
  return opened(mcpClient({ transport }));
}

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

describe('an MCP server', () => {
  it.each([
    ['a pattern', { properties: { x: { type: 'string', pattern: '^(a+)+$' } } }],
    [
      'a pattern of properties',
      { patternProperties: { '^(x+)+$': { type: 'string', pattern: '^(a|a)*$' } }, additionalProperties: false },
    ],
    ['a pattern of names', { propertyNames: { pattern: '^(x|x)+$' } }],
    [
      'a pattern behind a reference',
      { $defs: { p: { type: 'string', pattern: '^(a+)+$' } }, properties: { x: { $ref: '#/$defs/p' } } },
    ],
  ])('stops nobody by %s that takes for ever, and the model is told of it all the same', async (_, schema) => {
    const inputSchema = { type: 'object', ...schema };
    const client = served([{ name: 't', inputSchema }], (args) => text(JSON.stringify(args)));
    const args = { x: `${'a'.repeat(50)}!`, [`${'x'.repeat(50)}!`]: 'y' };
    const specifications: unknown[] = [];
    const { executions } = await invoked(
      [client],
      [{ call: 't', arguments: args }],
      {},
      {
        chatRequestTransformer: (request) => (specifications.push(...(request.toolSpecifications ?? [])), request),
      },
    );
    expect(executions[0]).toMatchObject({ hasFailed: false, result: JSON.stringify(args) });
    expect(specifications[0]).toMatchObject({ parameters: inputSchema });
  });

  it.each(hostileNames)('may call its tool and its arguments %s', async (name) => {
    const inputSchema = JSON.parse(
      `{"type":"object","properties":{"${name}":{"type":"string"},"kept":{"type":"number"}}}`,
    ) as object;
    const args = JSON.parse(`{"${name}":"x","kept":1}`) as object;
    let came: unknown;
    const client = served([{ name, inputSchema }], (args) => ((came = args), text('fine')));
    const { executions } = await invoked([client], [{ call: name, arguments: args }]);
    expect(executions[0]).toMatchObject({ hasFailed: false, result: 'fine' });
    // That one never reaches anybody.
    expect(JSON.stringify(came)).toBe(JSON.stringify(name === '__proto__' ? { kept: 1 } : args));
  });

  it('may answer with hostile keys: they are text to the model, and nothing to anybody', async () => {
    const result = JSON.parse(
      `{"content":[{"type":"text","text":"fine","__proto__":{"polluted":1}}],"structuredContent":${hostileJson},"_meta":${hostileJson}}`,
    ) as object;
    const client = served([{ name: 't', inputSchema: { type: 'object' } }], () => result);
    const { executions, events } = await invoked([client], [{ call: 't' }], { returnToolResultAttributes: true });
    expect(executions[0]).toMatchObject({ hasFailed: false, result: 'fine' });
    expectPlain(executions[0]?.attributes);
    expect(events.at(-1)?.type).toBe('finalResponse');
  });
});

it('a schema keeps all but its regular expressions, also where a property has the name of one', () => {
  const schema = {
    type: 'object',
    properties: { pattern: { type: 'string', pattern: 'a', minLength: 1 }, patternProperties: { type: 'number' } },
    required: ['pattern'],
    anyOf: [{ properties: { x: { const: { pattern: 'a' } } } }],
  };
  expect(withoutPatterns(schema)).toEqual({
    ...schema,
    properties: { pattern: { type: 'string', minLength: 1 }, patternProperties: { type: 'number' } },
  });
});
