import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Upstream } from './upstream.ts';

/** One request to the model. */
export interface Exchange {
  readonly question: string;
  /** `left`: the browser closed it. `lost`: the API did. */
  status: 'open' | 'whole' | 'left' | 'lost';
  /** Breaks the answer off, as if the API had. */
  lose(): void;
}

/** Hands a request on to the API and its answer back, as it streams. Whoever leaves ends the request to the API, too. */
export async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: Upstream,
  record: (exchange: Exchange) => void,
): Promise<void> {
  const body = bodyIn(await text(request));
  if (!body) {
    response.writeHead(400).end();
    return;
  }
  const exchange: Exchange = { question: questionIn(body), status: 'open', lose };
  record(exchange);
  const leaving = new AbortController();
  response.once('close', () => {
    if (exchange.status === 'open') exchange.status = response.writableFinished ? 'whole' : 'left';
    leaving.abort();
  });
  try {
    const answer = await fetch(`${upstream.url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(upstream.key && { authorization: `Bearer ${upstream.key}` }) },
      body: JSON.stringify({ ...body, ...(upstream.modelName && { model: upstream.modelName }) }),
      signal: leaving.signal,
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), response);
  } catch {
    lose();
  }

  function lose() {
    if (exchange.status === 'open') exchange.status = 'lost';
    // An answer that has begun can't become an error any more, only break off.
    if (response.headersSent) response.destroy();
    else
      response.writeHead(502, { 'content-type': 'application/json' }).end('{"error":{"message":"The API can\'t be reached."}}');
  }
}

interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

function bodyIn(json: string): ChatBody | undefined {
  try {
    const body = JSON.parse(json) as Partial<ChatBody> | null;
    return Array.isArray(body?.messages) ? (body as ChatBody) : undefined;
  } catch {
    return undefined;
  }
}

function questionIn({ messages }: ChatBody): string {
  return messages.findLast(({ role }) => role === 'user')?.content ?? '';
}
