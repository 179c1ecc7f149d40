import { lastValueFrom, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { mcpClient } from '../../src/mcp/index.ts';
import { toSseResponse } from '../../src/sse-response/to-sse-response.ts';
import { answering, came, hostileWires } from './hostile-wires.ts';

const breaks = ['\r\nx-injected: 1', '\nx-injected: 1', '\rx-injected: 1', '\0', '\u2028x', 'ä€\u{1f600}'] as const;
const secret = 'sk-CANARY-0123456789';

/** What was sent by a request that goes well or fails. */
async function sent(wire: (typeof hostileWires)[number], options: object, request: object = {}) {
  const requests: { url: string; headers: Headers }[] = [];
  const fetch: typeof globalThis.fetch = (url, init) => {
    requests.push({ url: url as string, headers: new Headers(init?.headers) });
    return answering(wire, [...wire.text('hello'), ...wire.end()])(url, init);
  };
  const { error } = await came(wire, fetch, { baseUrl: 'https://host.test/base', ...options }, request);
  return { requests, error };
}

describe.each(hostileWires)('a request to $provider', (wire) => {
  it.each(breaks)('carries no header that a key or a header of the caller brings with it: %j', async (text) => {
    for (const options of [
      { apiKey: secret + text },
      { apiKey: () => Promise.resolve(secret + text) },
      { headers: { 'openai-organization': secret + text } },
      { headers: { [`x-name${text}`]: secret } },
    ]) {
      const { requests, error } = await sent(wire, options);
      for (const { headers } of requests) expect(headers.has('x-injected')).toBe(false);
      if (!error) continue;
      expect(requests).toEqual([]);
      expect(error).toMatchObject({ name: 'ChatModelError', kind: 'invalidRequest' });
      expect(`${error.message}${error.stack}${String(error.cause)}`).not.toContain('CANARY');
      expect(error.message.split('\n')).toHaveLength(1);
    }
  });

  it.each([
    '../../v1/files',
    '..',
    '.',
    'a/../../b',
    '/a',
    'a//b',
    '\\..\\..\\x',
    '%2e%2e/x',
    '..%2f..%2fx',
    'x?key=1',
    'x#y',
    'x&alt=json',
    'x:deleteModel',
    'x y\r\nhost: evil',
    '@evil.test/x',
    '//evil.test/x',
    'https://evil.test/x',
    '\ud800',
  ])('goes where it is to go, whatever the model is called: %j', async (modelName) => {
    const { requests, error } = await sent(wire, {}, { modelName });
    if (error) {
      expect(error).toMatchObject({ name: 'ChatModelError', kind: 'invalidRequest' });
      expect(requests).toEqual([]);
    }
    for (const { url } of requests) {
      const { origin, pathname, search, hash } = new URL(url);
      expect(origin).toBe('https://host.test');
      expect(pathname).toMatch(/^\/base\/(chat\/completions|responses|messages|api\/chat|.+:streamGenerateContent)$/);
      expect(pathname.split('/').slice(1)).not.toContain('');
      expect(pathname.split('/')).not.toContain('..');
      expect(search).toMatch(/^(\?alt=sse)?$/);
      expect(hash).toBe('');
    }
  });
});

describe('what is sent to a client as server-sent events', () => {
  const lines = [
    'a\nevent: forged\ndata: x',
    'a\r\n\r\ndata: forged\n\n',
    'a\rid: forged',
    'a\u2028b\u2029c',
    '\ufeffdata: forged',
    '\0',
    '</script>',
  ];

  it.each(lines)('is one event for each value, whatever its texts hold: %j', async (text) => {
    const value = { type: text, id: text, [text]: [text] };
    const body = await toSseResponse(of(value, text)).text();
    expect(body.split(/\r\n|\r|\n/).filter(Boolean)).toHaveLength(2);
    const read = body.split('\n\n').filter(Boolean);
    expect(read.map((event) => JSON.parse(event.replace(/^data: /, '')) as unknown)).toEqual([value, text]);
  });

  it.each(lines)('has as its last data no other field, whatever it is: %j', async (lastData) => {
    const body = await toSseResponse(of(), { lastData }).text();
    for (const line of body.split(/\r\n|\r|\n/).filter(Boolean)) expect(line).toMatch(/^data: /);
    expect(body.match(/\n\n/g)).toHaveLength(1);
  });

  it('takes no header with a line break, and shows none', () => {
    for (const headers of [{ 'x-a': `${secret}\r\nx-injected: 1` }, { [`x-a\r\nx-injected: 1`]: secret }] as Record<
      string,
      string
    >[]) {
      const failure = failureOf(() => toSseResponse(of(1), { headers }));
      expect(failure).toBeInstanceOf(Error);
      expect(failure?.message).not.toContain('CANARY');
    }
  });
});

it('a header of an MCP client with a line break is refused or never sent, and is not shown', async () => {
  for (const headers of [{ authorization: `Bearer ${secret}\r\nx-injected: 1` }, { [`x-a\n`]: secret }] as Record<
    string,
    string
  >[]) {
    let isSent = false;
    const fetch = () => ((isSent = true), Promise.reject(new Error('no')));
    const failure = await Promise.resolve()
      .then(() =>
        lastValueFrom(mcpClient({ transport: { url: 'https://host.test/mcp', headers, fetch }, logger: quiet }).tools(), {
          defaultValue: [],
        }),
      )
      .catch((error: unknown) => error as Error);
    expect(failure).toBeInstanceOf(Error);
    expect(`${(failure as Error).message}${(failure as Error).stack}${String((failure as Error).cause)}`).not.toContain('CANARY');
    expect(isSent).toBe(false);
  }
});

const quiet = { warn: () => undefined, error: () => undefined, debug: () => undefined };

function failureOf(work: () => unknown): Error | undefined {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  return undefined;
}
