import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bodyScript } from './body-script.ts';
import { faultOf, type Fault } from './fault.ts';
import { modelTurn, type ModelTurn } from './model-turn.ts';
import { playBody } from './play-body.ts';
import { randomOf } from './random.ts';
import { bodyViolations, type ServerSide } from './server-side.ts';
import { sideOf } from './server-sides/side-of.ts';

/** Those who ask the server under one name, and what became of it. */
export interface Client {
  /** The seed of everything that the server does for it. */
  readonly seed: string;
  /** The tools that the model may call. */
  readonly names: readonly string[];
  readonly served: Served[];
  /** What its requests have broken of the rules of their APIs. */
  readonly violations: string[];
}

/** One request, and how it was answered. */
interface Served {
  readonly path: string;
  readonly fault: Fault;
  readonly turn: ModelTurn;
  /** Until the answer has gone out, or the connection has broken. */
  isOpen: boolean;
}

export interface FaultServer {
  /** The base URL for a client, which is known from now on until `forget`. */
  urlFor(name: string, client: Client): string;
  forget(name: string): void;
  /** Answers that are under way, of all clients. */
  readonly underWay: number;
  stop(): Promise<void>;
}

/** A server that speaks the APIs of all providers, on loopback, and misbehaves as its clients' seeds say. */
export async function faultServer(): Promise<FaultServer> {
  const clients = new Map<string, Client>();
  let underWay = 0;
  const server = createServer((request, response) => {
    const [, name = '', ...rest] = (request.url ?? '').split('/');
    const client = clients.get(name);
    const side = sideOf(rest.join('/'));
    // Whoever has ended asks no more: a request that comes all the same was on its way when it was given up.
    if (!client || !side) return void response.writeHead(404).end();
    const served = serve(client, rest.join('/'));
    underWay++;
    const close = () => {
      // Twice where both tell it.
      if (served.isOpen) underWay--;
      served.isOpen = false;
      request.socket.off('close', close);
    };
    response.once('close', close);
    // A response that waits behind another one on its connection does not tell that the connection has closed.
    request.socket.once('close', close);
    void bodyOf(request).then((body) => {
      if (body === undefined) return;
      client.violations.push(...violationsOf(side, body).map((violation) => `request to ${served.path}: ${violation}`));
      answer(response, served.fault, side, served.turn);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlFor(name, client) {
      clients.set(name, client);
      return `http://127.0.0.1:${port}/${name}`;
    },
    forget: (name) => void clients.delete(name),
    get underWay() {
      return underWay;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** `undefined`: the client has left before it was whole. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  let text = '';
  try {
    for await (const chunk of request.setEncoding('utf8')) text += chunk as string;
    return text;
  } catch {
    return undefined;
  }
}

/** What this request is answered with, and how. */
function serve(client: Client, path: string): Served {
  const place = client.served.length;
  const random = randomOf(client.seed, place);
  const fault = faultOf(random);
  const turn = modelTurn(random, { names: client.names, place, isFlood: fault.type === 'flood' });
  const served: Served = { path, fault, turn, isOpen: true };
  client.served.push(served);
  return served;
}

function violationsOf(side: ServerSide, body: string): readonly string[] {
  try {
    return bodyViolations(side, JSON.parse(body));
  } catch (error) {
    return [`the body can't be read: ${String(error)}: ${body.slice(0, 200)}`];
  }
}

function answer(response: ServerResponse, fault: Fault, side: ServerSide, turn: ModelTurn): void {
  const head = (status: number, headers: Readonly<Record<string, string>>) => response.writeHead(status, headers);
  switch (fault.type) {
    case 'silence':
      return;
    case 'reset':
      return void response.destroy();
    case 'cutInHeaders':
      return void response.socket?.end('HTTP/1.1 200 OK\r\ncontent-type: text/ev');
    case 'redirect':
      return void head(307, { location: '/elsewhere' }).end();
    case 'status': {
      const retryAfter = fault.retryAfter;
      const error = { message: 'Please try again.', type: 'server_error' };
      head(fault.status, { 'content-type': 'application/json', ...(retryAfter !== undefined && { 'retry-after': retryAfter }) });
      return void response.end(JSON.stringify({ type: 'error', error }));
    }
    case 'htmlStatus':
      return void head(fault.status, { 'content-type': 'text/html' }).end('<html><h1>Bad gateway</h1></html>');
  }
  const send = () => {
    if (response.destroyed) return;
    head(200, { 'content-type': contentType(fault, side) });
    playBody(response, bodyScript(fault, side.frames(turn), side));
  };
  if (fault.type === 'delay') setTimeout(send, fault.ms);
  else send();
}

function contentType({ type }: Fault, side: ServerSide): string {
  if (type === 'page') return 'text/html';
  if (type === 'jsonBody') return 'application/json';
  return type === 'plainType' ? 'text/plain' : side.contentType;
}
