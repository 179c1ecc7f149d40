import { createServer as createClosedServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Fixture } from '@copilotkit/aimock';
import type { BrowserCommand } from 'vitest/node';

/** What tests in a browser ask of Node: a server that speaks the formats of the providers, at an origin of its own. */
interface Commands {
  /** Starts it anew with what it answers; gives its address. */
  startModelServer(fixtures: readonly Fixture[]): Promise<string>;
  /** Starts one that allows no page of another origin; gives its address. */
  startClosedServer(): Promise<string>;
  /** Method and path of each request so far. */
  requestsSeen(): Promise<readonly string[]>;
  /** Resolves when the last answer to a POST has ended. */
  lastAnswerEnded(): Promise<'whole' | 'cut'>;
  stopModelServer(): Promise<void>;
}

declare module 'vitest/browser' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type
  interface BrowserCommands extends Commands {}
}

type OnNode = { readonly [K in keyof Commands]: BrowserCommand<Parameters<Commands[K]>, Awaited<ReturnType<Commands[K]>>> };

let server: Server | undefined;
let requests: string[] = [];
let ended: Promise<'whole' | 'cut'> | undefined;

/** The tests run one after the other: one server at a time is enough. */
export const modelServerCommands: OnNode = {
  startModelServer: async (_, fixtures) => {
    // Not before a test asks: every run of tests reads this file.
    const { createServer } = await import('@copilotkit/aimock');
    return listening((await createServer([...fixtures], { port: 0 })).server);
  },
  startClosedServer: () => listening(createClosedServer((_, response) => response.end('{}')).listen(0, '127.0.0.1')),
  requestsSeen: () => requests,
  lastAnswerEnded: () => ended ?? Promise.reject(new Error('Nothing was asked.')),
  stopModelServer: stop,
};

async function listening(started: Server): Promise<string> {
  await stop();
  if (!started.listening) await once(started, 'listening');
  server = started;
  requests = [];
  ended = undefined;
  started.on('request', ({ method, url }, response) => {
    requests.push(`${method} ${url}`);
    if (method !== 'POST') return;
    ended = once(response, 'close').then(() => (response.writableFinished ? 'whole' : 'cut'));
  });
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
}

async function stop(): Promise<void> {
  if (!server?.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
