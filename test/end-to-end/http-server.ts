import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export interface CountingServer {
  readonly url: string;
  /** Connections since the start. */
  readonly connections: number;
  readonly requests: number;
  /** Responses that somebody still waits for. */
  readonly underWay: number;
  /** Resolves when the response with that number (from 0) has been ended, by whomever: `whole` or `cut`. */
  ended(response: number): Promise<'whole' | 'cut'>;
  stop(): Promise<void>;
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A server for chat completions that knows what becomes of its connections. Each request gets the next answer, and the last one is for all that follow. */
export async function countingServer(...answers: readonly Answer[]): Promise<CountingServer> {
  const responses: ServerResponse[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const answer = answers[Math.min(responses.length, answers.length - 1)]!;
    responses.push(response);
    request.resume();
    request.once('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      answer(response, request);
    });
  });
  server.on('connection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get connections() {
      return connections;
    },
    get requests() {
      return responses.length;
    },
    get underWay() {
      return responses.filter(({ closed }) => !closed).length;
    },
    async ended(number) {
      const response = responses[number]!;
      if (!response.closed) await once(response, 'close');
      return response.writableFinished ? 'whole' : 'cut';
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** An address at which nothing listens. */
export async function deadUrl(): Promise<string> {
  const server = await countingServer(() => undefined);
  await server.stop();
  return server.url;
}

export const data = (...chunks: readonly (object | string)[]) =>
  chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`).join('');

/** A piece of text that never ends. */
export const endlessText: Answer = (response) => {
  const timer = setInterval(() => response.write(data({ choices: [{ delta: { content: 'x' } }] })), 5);
  response.once('close', () => clearInterval(timer));
};
