import { VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatModelEvent } from '../../../src/chat/chat-model.ts';
import { anthropic, type AnthropicOptions } from '../../../src/provider/anthropic/anthropic.ts';
import { fakeServer } from '../fake-server.ts';
import { played, type Played } from '../played.ts';
import { user } from './bodies.ts';
import { said, start, stream, text } from './turns.ts';

const hello = stream(...said('end_turn', text(0, 'Hello')));
const overloaded = { type: 'error', error: { details: null, type: 'overloaded_error', message: 'Overloaded' } };
const untimed = { firstByte: Infinity, idle: Infinity };

function asked(fetch: typeof globalThis.fetch, options: Partial<AnthropicOptions> = {}): Promise<Played<ChatModelEvent>> {
  const scheduler = new VirtualTimeScheduler();
  const model = anthropic({ modelName: 'claude-x', fetch, scheduler, timeout: untimed, ...options });
  return played(model.chat({ messages: [user('hello')] }), scheduler);
}
const outline = ({ values }: Played<ChatModelEvent>) =>
  values.map((event) => (event.type === 'partialResponse' ? event.text : event.type));

describe('anthropic', () => {
  it('is a model that says who and what it is, and no secret', () => {
    const model = anthropic({ modelName: 'claude-x', apiKey: 'sk-ant-secret' });
    expect(model).toMatchObject({ provider: 'anthropic', modelName: 'claude-x', supports: { jsonSchema: true } });
    expect(JSON.stringify(model)).not.toContain('sk-ant-secret');
  });

  it('posts to the messages of the base URL, with the key and the version of the API in headers', async () => {
    const server = fakeServer(hello);
    await asked(server.fetch, { apiKey: 'sk-ant-live' });
    await asked(server.fetch, { baseUrl: 'http://localhost:8080/v1/', headers: { 'anthropic-version': '2026-10-21' } });
    expect(server.requests.map(({ url }) => url)).toEqual([
      'https://api.anthropic.com/v1/messages',
      'http://localhost:8080/v1/messages',
    ]);
    const common = { 'content-type': 'application/json', accept: 'text/event-stream' };
    expect(server.requests.map(({ headers }) => Object.fromEntries(headers))).toEqual([
      { ...common, 'anthropic-version': '2023-06-01', 'x-api-key': 'sk-ant-live' },
      { ...common, 'anthropic-version': '2026-10-21' },
    ]);
    expect(server.requests[0]!.json).toEqual({
      model: 'claude-x',
      max_tokens: 32_000,
      stream: true,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
    });
  });

  it('takes the key out of what the server quotes', async () => {
    const quoting = () => new Response(JSON.stringify({ error: { message: 'bad key sk-ant-live' } }), { status: 401 });
    const { error } = await asked(fakeServer(quoting).fetch, { apiKey: 'sk-ant-live' });
    expect(error).toMatchObject({ kind: 'authentication', message: 'anthropic: bad key [redacted] (status 401)' });
  });

  it('refuses what can not be said before anything is sent', async () => {
    const server = fakeServer(hello);
    const { error } = await asked(server.fetch, { defaultRequest: { seed: 1 } });
    expect(error).toMatchObject({ kind: 'invalidRequest', retryable: false });
    expect(server.requests).toEqual([]);
  });

  it('[G57] gives the tools their own names back, however the API had to be told', async () => {
    const name = 'immich.search/metadata';
    const server = fakeServer(({ json }) => {
      const [{ name: sent }] = json['tools'] as [{ name: string }];
      return stream(
        ...said('tool_use', [
          { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: sent, input: {} } },
          { type: 'content_block_stop', index: 0 },
        ]),
      )();
    });
    const { values } = await asked(server.fetch, {
      defaultRequest: { toolSpecifications: [{ name, parameters: { type: 'object', properties: {} } }] },
    });
    expect(values.at(-1)).toMatchObject({
      response: { aiMessage: { toolExecutionRequests: [{ id: 'a', name, arguments: '' }] } },
    });
  });

  it('[G29] answers once when the first event tells that it is overloaded and the second request works', async () => {
    const server = fakeServer(stream(overloaded), hello);
    const played = await asked(server.fetch);
    expect(played.error).toBeUndefined();
    expect(outline(played)).toEqual(['retry', 'Hello', 'completeResponse']);
    expect(played.values[0]).toMatchObject({ attempt: 1, error: { kind: 'overloaded', retryable: true } });
    expect(server.requests[1]!.body).toBe(server.requests[0]!.body);
  });

  it('[G29] asks again also when the message has begun, as long as nothing of it was told', async () => {
    const server = fakeServer(stream(start(), { type: 'ping' }, overloaded), hello);
    expect(outline(await asked(server.fetch))).toEqual(['retry', 'Hello', 'completeResponse']);
  });

  it('does not ask again when something of the answer was told', async () => {
    const server = fakeServer(stream(start(), ...text(0, 'Half'), overloaded), hello);
    const played = await asked(server.fetch);
    expect(outline(played)).toEqual(['Half']);
    expect(played.error).toMatchObject({ kind: 'overloaded', message: 'anthropic: Overloaded (type overloaded_error)' });
  });
});
