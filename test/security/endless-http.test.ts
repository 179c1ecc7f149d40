import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { came, hostileWires } from './hostile-wires.ts';

interface Request {
  readonly status: number;
  readonly opening: string;
  /** Told how many bytes were written when the client had gone. */
  readonly onLeft: (written: number) => void;
}

let server: Server;
let baseUrl: string;
let next: Request;

/** Writes for as long as somebody reads. */
function pour(response: ServerResponse, { status, opening, onLeft }: Request): void {
  let written = 0;
  const piece = 'x'.repeat(16_384);
  const write = () => {
    while (!response.destroyed && response.write(piece)) written += piece.length;
  };
  response.on('drain', write).on('close', () => onLeft(written));
  response.writeHead(status, { 'content-type': 'text/event-stream' });
  response.write(opening);
  write();
}

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => pour(response, next));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => new Promise((closed) => server.close(closed)));

/** How one request fails, and how much the server could write until the connection was closed. */
async function poured(wire: (typeof hostileWires)[number], status: number, opening: string) {
  let onLeft!: (written: number) => void;
  const left = new Promise<number>((resolve) => (onLeft = resolve));
  next = { status, opening, onLeft };
  const { error } = await came(wire, fetch, { baseUrl, maxEventSize: 1_000_000 });
  return { error, written: await left };
}

/** What lies in the buffers of sockets on both sides, and may be more than was read. */
const buffers = 30_000_000;

describe.each(hostileWires)('over HTTP, $provider', (wire) => {
  it('closes the connection to a server that writes a line without end', async () => {
    const { error, written } = await poured(wire, 200, wire.provider === 'ollama' ? '{"x":"' : 'data: {"x":"');
    expect(error?.message).toContain('longer than 1000000 characters (maxEventSize)');
    expect(written).toBeLessThan(buffers);
  });

  it('closes the connection to a server whose refusal has no end', async () => {
    const { error, written } = await poured(wire, 401, '{"error":{"message":"');
    expect(error).toMatchObject({ kind: 'authentication', status: 401 });
    expect(written).toBeLessThan(buffers);
  });
});
