import { describe, expect, it } from 'vitest';
import { came, hostileWires, type HostileWire } from './hostile-wires.ts';

interface Flood {
  readonly fetch: typeof fetch;
  /** How much was taken of it, in bytes, and whether it was given up. */
  readonly taken: () => number;
  readonly isGivenUp: () => boolean;
}

const chunk = 16_384;

/** A body that begins with something and then never ends: it is the reader that has to have enough. */
function flood(beginning: string, piece: string, { status = 200, type = 'text/event-stream' } = {}): Flood {
  let taken = 0;
  let isGivenUp = false;
  const encoder = new TextEncoder();
  const more = encoder.encode(piece.repeat(Math.ceil(chunk / piece.length)));
  const body = () =>
    new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(encoder.encode(beginning)),
      pull(controller) {
        taken += more.length;
        // Not for ever, should nobody have enough: the test is to fail and not to hang.
        if (taken > 50_000_000) controller.error(new Error('nobody has had enough'));
        else controller.enqueue(more);
      },
      cancel: () => void (isGivenUp = true),
    });
  return {
    fetch: () => Promise.resolve(new Response(body(), { status, headers: { 'content-type': type } })),
    taken: () => taken,
    isGivenUp: () => isGivenUp,
  };
}

const maxEventSize = 100_000;
/** What is buffered by streams on the way. */
const slack = 10 * chunk;
const isLines = ({ provider }: HostileWire) => provider === 'ollama';

describe.each(hostileWires)('a body of $provider that never ends', (wire) => {
  const opening = isLines(wire) ? '{"x":"' : 'data: {"x":"';

  it('and is one line is left at maxEventSize, with an error that says so', async () => {
    const body = flood(opening, 'x');
    const { error } = await came(wire, body.fetch, { maxEventSize });
    expect(error).toMatchObject({ kind: 'malformedResponse', retryable: false });
    expect(error?.message).toContain('longer than 100000 characters (maxEventSize)');
    expect(error!.message.length).toBeLessThan(500);
    expect(body.taken()).toBeLessThan(maxEventSize + slack);
    expect(body.isGivenUp()).toBe(true);
  });

  it('and is a page is left at its beginning, and shown shortened', async () => {
    const body = flood('<html>', '<p>no model lives here</p>\n', { type: 'text/html' });
    const { error } = await came(wire, body.fetch, { maxEventSize });
    expect(error).toMatchObject({ kind: 'malformedResponse' });
    expect(error!.message.length).toBeLessThan(1000);
    expect(body.taken()).toBeLessThan(maxEventSize + slack);
  }, 10_000);

  it('and is JSON, as of a server that does not stream, is left at maxEventSize', async () => {
    const body = flood('{"choices":[{"message":{"content":"', 'x', { type: 'application/json' });
    const { error } = await came(wire, body.fetch, { maxEventSize });
    expect(error).toMatchObject({ kind: 'malformedResponse' });
    expect(body.taken()).toBeLessThan(maxEventSize + slack);
  });

  it.each([
    ['JSON', '{"error":{"message":"', 'x'],
    ['a page', '<html>', '<p>overloaded</p>'],
    ['blanks', '', ' '],
  ])('and comes with a status of failure is read to 65,536 characters: %s', async (_, beginning, piece) => {
    const body = flood(beginning, piece, { status: 400, type: 'application/json' });
    const { error } = await came(wire, body.fetch);
    expect(error).toMatchObject({ kind: 'invalidRequest', status: 400 });
    expect(error!.message.length).toBeLessThan(1000);
    expect(body.taken()).toBeLessThan(65_536 + slack);
    expect(body.isGivenUp()).toBe(true);
  });
});

describe.each(hostileWires.filter((wire) => !isLines(wire)))('an event stream of $provider', (wire) => {
  it('may have an event without end, of lines that end: it is left at maxEventSize', async () => {
    const body = flood('data: {"x":[\n', 'data: 1,\n');
    const { error } = await came(wire, body.fetch, { maxEventSize });
    expect(error?.message).toContain('(maxEventSize)');
    expect(body.taken()).toBeLessThan(2 * maxEventSize + slack);
  });

  it.each(['id: x', 'event: x', 'retry: 1'])('may have a field %s without end', async (beginning) => {
    const body = flood(`data: {}\n\n${beginning}`, '1');
    const { error } = await came(wire, body.fetch, { maxEventSize });
    expect(error?.message).toContain('(maxEventSize)');
    expect(body.taken()).toBeLessThan(maxEventSize + slack);
  });
});

it('the words of an error are told as far as somebody reads them', async () => {
  for (const wire of hostileWires) {
    const words = { message: 'no '.repeat(500_000), type: 't'.repeat(500_000), code: 'c'.repeat(500_000) };
    const text = JSON.stringify(wire.failure(words)[0]);
    const body = isLines(wire) ? `${text}\n` : `data: ${text}\n\n`;
    const { error } = await came(wire, () => Promise.resolve(new Response(body)));
    expect(error!.message).toMatch(/: no no no/);
    expect(error!.message.length).toBeLessThan(20_000);
  }
});
