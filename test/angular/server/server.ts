import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forward, type Exchange } from './forward.ts';
import { serveFile } from './serve-file.ts';
import type { Upstream } from './upstream.ts';

export interface ServerOptions {
  /** The built app. */
  readonly folder: string;
  readonly upstream: Upstream;
  /** 0 for any that is free. */
  readonly port: number;
}

export interface DemoServer {
  readonly url: string;
  /** What the model was asked, in the order in which it was asked, and what became of each connection. */
  readonly exchanges: readonly Exchange[];
  stop(): Promise<void>;
}

/** Serves the app, and lends it the API behind it: the key stays here. */
export async function startServer({ folder, upstream, port }: ServerOptions): Promise<DemoServer> {
  const exchanges: Exchange[] = [];
  const server = createServer((request, response) => {
    if (request.method === 'POST' && request.url === '/v1/chat/completions') {
      void forward(request, response, upstream, (exchange) => exchanges.push(exchange));
    } else {
      serveFile(folder, request, response);
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
