import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { openAiChat } from '../../../src/provider/openai/open-ai-chat.ts';

const apiKey = 'sk-SECRET-0123456789';

/** How a request fails that is answered like this. */
async function failureOf(fetch: typeof globalThis.fetch, baseUrl = 'http://model.test/v1'): Promise<Error> {
  const model = openAiChat({ modelName: 'm', apiKey, baseUrl, fetch, maxRetries: 0 });
  const answer = lastValueFrom(model.chat({ messages: [{ role: 'user', contents: [{ type: 'text', text: 'x' }] }] }), {
    defaultValue: undefined,
  });
  return answer.then(
    () => expect.fail('the request did not fail'),
    (error: Error) => error,
  );
}

const answering = (body: string, init: ResponseInit) => () => Promise.resolve(new Response(body, init));
const stream = { headers: { 'content-type': 'text/event-stream' } };
const escaped = [...apiKey].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

describe('a key that the server quotes', () => {
  it.each([
    ['in JSON with escapes', answering(`{"error":{"message":"bad key ${escaped}"}}`, { status: 401 })],
    ['in the text of the status', answering('', { status: 401, statusText: `bad ${apiKey}` })],
    ['in the id of the request', answering('{"error":"no"}', { status: 401, headers: { 'x-request-id': apiKey } })],
    ['in the content type', answering('<html>', { headers: { 'content-type': `text/${apiKey}` } })],
    ['in a finish word', answering(`data: {"choices":[{"finish_reason":"function_call_filter ${apiKey}"}]}\n\n`, stream)],
  ])('is in no error: %s', async (_, fetch) => {
    const error = await failureOf(fetch);
    expect(`${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain('SECRET');
    expect(`${error.message} ${JSON.stringify(error)}`).toContain('[redacted]');
  });
});

describe('a redirect', () => {
  it('is not followed: it would carry the headers to another place', async () => {
    const paths: string[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url!);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const error = await failureOf(fetch, `http://127.0.0.1:${port}/v1`);
    server.close();
    expect(error.message).toMatch(/sends to another address.* baseUrl/);
    expect(paths).toEqual(['/v1/chat/completions']);
  });
});
