import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { Observable } from 'rxjs';
import { sendUiMessageStream, toUiMessageStreamResponse, type UiMessageChunk } from '../../src/ui-message-stream/index.ts';

/** What the AI SDK's transport posts. */
interface Posted {
  readonly id: string;
  readonly messages: unknown;
}

type Answer = (posted: Posted) => Observable<UiMessageChunk>;

export interface TestServer {
  readonly url: string;
  stop(): Promise<void>;
}

async function listening(server: Server): Promise<TestServer> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/chat`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const bodyOf = async (request: IncomingMessage) => (await json(request)) as Posted;

/** Node's own way. */
export const nodeServer = (answer: Answer): Promise<TestServer> =>
  listening(
    createServer((request, response) => {
      void bodyOf(request)
        .then((posted) => sendUiMessageStream(answer(posted), response))
        .catch((error: Error) => response.writeHead(400).end(error.message));
    }),
  );

/** A handler as fetch-style servers have it, behind a small adapter to Node as Hono's. */
export const fetchServer = (answer: Answer): Promise<TestServer> =>
  listening(
    createServer((request, response) => {
      const handled = bodyOf(request).then((posted) => {
        const { status, headers, body } = toUiMessageStreamResponse(answer(posted));
        response.writeHead(status, Object.fromEntries(headers));
        const sent = Readable.fromWeb(body as NodeReadableStream);
        sent.on('error', () => response.destroy());
        response.once('close', () => sent.destroy());
        sent.pipe(response);
      });
      handled.catch((error: Error) => response.writeHead(400).end(error.message));
    }),
  );
