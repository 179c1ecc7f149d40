/** A request as it was sent. */
export interface SentRequest {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  readonly json: Record<string, unknown>;
  readonly signal: AbortSignal;
}

export type FakeAnswer = (request: SentRequest) => Response | Promise<Response>;

export interface FakeServer {
  readonly fetch: typeof fetch;
  readonly requests: readonly SentRequest[];
}

/** Answers one request after the other; the last answer is given to all that follow. */
export function fakeServer(...answers: readonly FakeAnswer[]): FakeServer {
  const requests: SentRequest[] = [];
  const fetch = (url: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const body = init!.body as string;
    const request = {
      url: url as string,
      headers: new Headers(init!.headers),
      body,
      json: JSON.parse(body) as Record<string, unknown>,
      signal: init!.signal!,
    };
    const answer = answers[Math.min(requests.length, answers.length - 1)]!;
    requests.push(request);
    return Promise.resolve().then(() => answer(request));
  };
  return { fetch, requests };
}

/** An error in the form that OpenAI gives it. */
export const refusal =
  (status: number, message: string, headers: Record<string, string> = {}, rest: Record<string, unknown> = {}) =>
  () =>
    new Response(JSON.stringify({ error: { message, ...rest } }), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    });

/** A connection that is not made, as Node's fetch tells it. */
export const refusedConnection = () =>
  Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') }));

const encoder = new TextEncoder();

/** A body that the test feeds. */
export interface FedBody {
  readonly stream: ReadableStream<Uint8Array>;
  send(text: string): void;
  end(): void;
  fail(error: unknown): void;
  readonly isCancelled: boolean;
}

export function fedBody(): FedBody {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start: (started) => {
      controller = started;
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  return {
    stream,
    send: (text) => controller.enqueue(encoder.encode(text)),
    end: () => controller.close(),
    fail: (error) => controller.error(error),
    get isCancelled() {
      return isCancelled;
    },
  };
}

/** Breaks the body when the request is aborted, as a real fetch does. */
export function heedful(body: FedBody, { signal }: SentRequest): Response {
  signal.addEventListener('abort', () => body.fail(signal.reason));
  return new Response(body.stream, { headers: { 'content-type': 'text/event-stream' } });
}

// Node waits a whole millisecond for a timer of none.
const soon: (work: () => void) => unknown = 'setImmediate' in globalThis ? setImmediate : setTimeout;

/** Lets everything happen that waits for promises only. */
export const settled = () => new Promise<void>((resolve) => soon(resolve));
