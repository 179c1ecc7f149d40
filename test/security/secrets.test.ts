import { inspect } from 'node:util';
import { InMemorySpanExporter, SimpleSpanProcessor, BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { EMPTY, catchError, lastValueFrom, tap, toArray, type Observable } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toAgUi } from '../../src/ag-ui/index.ts';
import { aiService, messageWindowMemory, tool } from '../../src/index.ts';
import { withTracing } from '../../src/otel/index.ts';
import type { ProviderOptions } from '../../src/provider/provider-options.ts';
import { toSseResponse } from '../../src/sse-response/to-sse-response.ts';
import { recordCassette } from '../../src/testing/cassette/record-cassette.ts';
import { recordTimeline, renderAscii, renderSvg } from '../../src/timeline/index.ts';
import { toUiMessageStream } from '../../src/ui-message-stream/index.ts';
import { answering, framed, hostileWires, modelOf, type HostileWire } from './hostile-wires.ts';

const canary = 'sk-CANARY/0123+456=789';
/** All ways in which a text may hold it. */
const forms = [canary, encodeURIComponent(canary), JSON.stringify(canary).slice(1, -1), btoa(`user:${canary}`), 'CANARY'];

const places: Readonly<Record<string, Partial<ProviderOptions>>> = {
  'as apiKey': { apiKey: canary },
  'from a function': { apiKey: () => Promise.resolve(canary) },
  'in a header': { headers: { authorization: `Bearer ${canary}` } },
  'in a header of a gateway': { headers: { 'cf-aig-token': canary, cookie: `session=${canary}; theme=dark` } },
  'as a password of Basic': { headers: { authorization: `Basic ${btoa(`user:${canary}`)}` } },
  'in the query of the base URL': { baseUrl: `https://host.test/v1?key=${encodeURIComponent(canary)}&api-version=1` },
};

type Serve = (wire: HostileWire, url: string, init: RequestInit) => Promise<Response>;

/** What the server was sent, quoted in the way of careless servers. */
const quoted = (url: string, { headers }: RequestInit) =>
  `${url} ${JSON.stringify(headers)} ${Object.values(headers as object).join(' ')}`;
const failing =
  (status: number, body: (quote: string) => string, headers: (quote: string) => HeadersInit = () => ({})): Serve =>
  (_, url, init) =>
    Promise.resolve(new Response(body(quoted(url, init)), { status, headers: headers(quoted(url, init)) }));
const streaming =
  (events: (wire: HostileWire, quote: string) => readonly unknown[]): Serve =>
  (wire, url, init) =>
    answering(wire, events(wire, quoted(url, init)))(url, init);

const failures: Readonly<Record<string, Serve>> = {
  'a refusal in JSON': failing(401, (quote) =>
    JSON.stringify({ error: { message: `bad key: ${quote}`, type: quote, code: quote } }),
  ),
  'a refusal in JSON within JSON': failing(400, (quote) =>
    JSON.stringify({ error: { message: JSON.stringify({ sent: quote }) } }),
  ),
  'a refusal as a page': failing(403, (quote) => `<html>${quote}</html>`),
  'a refusal without words': failing(500, (quote) => JSON.stringify({ request: { quote } })),
  'a refusal that goes on behind what is read': failing(400, (quote) => `${'x'.repeat(280)} ${quote}`),
  'a redirect by the id of the request': failing(
    429,
    () => '{"error":"busy"}',
    (quote) => ({ 'x-request-id': quote.replace(/[^!-~]/g, ''), 'retry-after': '61' }),
  ),
  'a page instead of a stream': failing(200, (quote) => `<html>${quote}</html>`),
  'JSON instead of a stream': failing(200, (quote) => JSON.stringify({ error: { message: quote } })),
  nothing: failing(200, () => ''),
  'an error within the stream': streaming((wire, quote) => [
    ...wire.text('hello'),
    ...wire.failure({ message: quote, type: quote }),
  ]),
  'an event that is no JSON': streaming((_, quote) => [`no JSON: ${quote}`, 'more']),
  'last words that are no event': streaming((wire, quote) => [...wire.text('hello'), `fatal: ${quote}`]),
  'a call without a name': streaming((wire, quote) => [
    ...wire.call({ id: 'a', pieces: [JSON.stringify({ quote })] }, 0),
    ...wire.end(),
  ]),
  'a network error': (_, url, init) =>
    Promise.reject(new TypeError('fetch failed', { cause: new Error(`connect to ${quoted(url, init)}`) })),
  'a body that breaks': (wire, url, init) => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(framed(wire, wire.text('hello')[0]))),
      pull: (controller) => controller.error(new Error(`reset: ${quoted(url, init)}`, { cause: new Error(quoted(url, init)) })),
    });
    return Promise.resolve(new Response(body));
  },
};

let logged: unknown[];
beforeEach(() => {
  logged = [];
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => void logged.push(...words));
});
afterEach(() => void vi.restoreAllMocks());

/** Everything that anybody can see of a value, and of what it is made of. */
function seen(value: unknown): string {
  const deep = inspect(value, { depth: 10, showHidden: true, maxStringLength: null, maxArrayLength: null });
  const chain: string[] = [];
  for (let link = value; link instanceof Error; link = link.cause) chain.push(`${link.name} ${link.message} ${link.stack}`);
  let json: string;
  try {
    json = JSON.stringify(value) ?? '';
  } catch {
    json = '';
  }
  return [deep, String(value), json, ...chain].join('\n');
}

function expectSecret(...values: readonly unknown[]): void {
  for (const value of values) {
    const text = typeof value === 'string' ? value : seen(value);
    for (const form of forms) expect(text).not.toContain(form);
  }
}

const gathered = async <T>(source: Observable<T>): Promise<readonly unknown[]> => {
  const all: unknown[] = [];
  const kept = source.pipe(
    tap((value) => all.push(value)),
    catchError((error: unknown) => (all.push(error), EMPTY)),
    toArray(),
  );
  await lastValueFrom(kept, { defaultValue: [] });
  return all;
};

describe.each(hostileWires)('a key for $provider', (wire) => {
  // What differs between the wires is where their own key stands, and how they fail; one of them is enough for all places.
  const ownPlaces = wire.provider === 'openai-chat' ? Object.keys(places) : ['as apiKey', 'in the query of the base URL'];

  describe.each(ownPlaces)('%s', (place) => {
    const options = places[place];
    it.each(Object.entries(failures))('is in nothing that comes of %s', async (__, serve) => {
      const spans = new InMemorySpanExporter();
      const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
      const fetch = ((url: string, init: RequestInit) => serve(wire, url, init)) as typeof globalThis.fetch;
      const model = modelOf(wire, { baseUrl: 'https://host.test/v1', ...options, fetch });
      const tape = recordCassette(model);
      const memory = messageWindowMemory({ maxMessages: 10 });
      const tools = [tool({ name: 't', execute: () => 'ran' })];
      const traced = { model: tape, chatMemory: memory, tools };
      const service = aiService(withTracing(traced, { tracer: tracerProvider.getTracer('test'), captureContent: true }));
      const recorder = recordTimeline();
      const summaries: unknown[] = [];
      service.events$.subscribe({ next: (event) => summaries.push(event, JSON.stringify(event)), error: expect.fail });
      const events = await gathered(service.stream('x').pipe(recorder.watch()));
      const timeline = recorder.timeline();
      const agUi = await gathered(service.stream('x').pipe(toAgUi()));
      const ui = await gathered(service.stream('x').pipe(toUiMessageStream()));
      const sse = await toSseResponse(service.stream('x').pipe(catchError(() => EMPTY))).text();
      expectSecret(model, tape, ...events, ...summaries, tape.cassette(), timeline, renderSvg(timeline), renderAscii(timeline));
      expectSecret(...agUi, ...ui, sse, ...logged, await memory.messages(), spans.getFinishedSpans());
    });
  });
});

it('a base URL that is none is told without what may be secret in it', () => {
  for (const baseUrl of [
    `localhost:1234/v1?key=${canary}`,
    `user:${canary}@host.test/v1`,
    `user:x@host.test/v1#${canary}`,
    `ftp://user:${canary}@host.test/`,
  ]) {
    for (const wire of hostileWires) {
      let failure: unknown;
      try {
        modelOf(wire, { baseUrl });
      } catch (error) {
        failure = error;
      }
      expect(failure).toMatchObject({ name: 'ConfigurationError', message: expect.stringContaining('baseUrl') as string });
      expectSecret(failure);
    }
  }
});
