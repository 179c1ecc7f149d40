import { describe, expect, it } from 'vitest';
import { mcpClient } from '../../src/mcp/index.ts';

describe('mcpClient', () => {
  it('does nothing before it is asked, and can be closed', async () => {
    const client = mcpClient({ transport: { command: '/bin/nothing' } });
    expect(client.name).toBe('nothing');
    expect(mcpClient({ transport: { url: 'https://example.org:8443/mcp?key=k' } }).name).toBe('example.org:8443');
    await client.close();
  });

  it.each<[string, string, readonly string[]]>([
    ['mail.js', '/usr/bin/node', ['servers/mail.js', '--api-key', 'sk-SECRET']],
    ['server-files', 'npx', ['-y', '@modelcontextprotocol/server-files', '.']],
    ['server-x', 'npx', ['server-x']],
    ['npx', 'npx', ['--api-key', 'sk-SECRET', 'server-x']],
    ['npx', 'npx', ['-y', '--api-key', 'sk-SECRET']],
    ['node', 'node', ['-e', 'console.log(1)']],
    ['node', 'node', ['--env-file', '.env', 's.js']],
    ['deno', 'deno', ['run', 'x.ts']],
    ['uv', 'uv', ['run', 'x.py']],
    ['node', 'node', []],
  ])('calls a server %s that is started by %s %o: never by what may be a secret', (name, command, args) => {
    expect(mcpClient({ transport: { command, args } }).name).toBe(name);
  });

  it.each<[string, unknown, string]>([
    ['no options', undefined, 'mcpClient: there must be an object of options'],
    [
      'no transport',
      {},
      'mcpClient: transport is undefined; it must be { command, … }, { url, … } or a function that makes a transport.',
    ],
    [
      'an empty command',
      { transport: { command: '' } },
      'mcpClient: transport.command is ""; it must be a text that is not empty.',
    ],
    ['both', { transport: { command: 'a', url: 'b' } }, 'mcpClient: transport: unknown option url'],
    [
      'arguments in one text',
      { transport: { command: 'node', args: 'a.js --token geheim' } },
      'mcpClient: transport.args is "string"; it must be an array',
    ],
    [
      'a number in the environment',
      { transport: { command: 'a', env: { KEY: 'geheim', PORT: 3 } } },
      'mcpClient: transport.env must be',
    ],
    ['no address', { transport: { url: 'example.org?key=geheim' } }, 'mcpClient: transport.url is no address of a server'],
    [
      'a password',
      { transport: { url: 'https://me:geheim@example.org/mcp' } },
      'mcpClient: transport.url must hold no user and no password; pass them by transport.headers',
    ],
    ['a user', { transport: { url: new URL('https://geheim@example.org/mcp') } }, 'mcpClient: transport.url must hold no user'],
    ['a file', { transport: { url: 'file:///a' } }, 'mcpClient: transport.url is no address of a server'],
    ['a pin', { transport: { command: 'a' }, versionNegotiation: {} }, 'mcpClient: versionNegotiation.pin is undefined'],
    [
      'a limit',
      { transport: { command: 'a' }, timeout: { idle: 0 } },
      'mcpClient: timeout.idle is 0; it must be a number of ms above 0.',
    ],
    ['an unknown limit', { transport: { command: 'a' }, timeout: { ilde: 5 } }, 'mcpClient: timeout: unknown option ilde'],
    ['elicit', { transport: { command: 'a' }, elicit: true }, 'mcpClient: elicit is true; it must be a function.'],
  ])('says what is wrong with %s, and shows no secret', (_, options, message) => {
    expect(() => mcpClient(options as never)).toThrow(message);
    expect(() => mcpClient(options as never)).not.toThrow('geheim');
  });
});
