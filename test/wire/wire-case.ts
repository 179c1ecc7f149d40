import { readFileSync, readdirSync } from 'node:fs';
import type { WireProvider } from './wire-models.ts';

/** A byte-exact answer of a server, and what it must come to. */
export interface WireCase extends Answer {
  readonly name: string;
  readonly provider: WireProvider;
  readonly encoding: 'utf8' | 'base64';
  readonly chunks: readonly string[];
  readonly expect: Expectation;
}

/** How a server answers, apart from the bytes of the body. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly endsBy: 'close' | 'cut';
}

export interface Expectation {
  readonly text: string;
  readonly thinking?: string;
  /** `id: null` stands for any id that is not empty. Arguments that are no JSON are told as their text. */
  readonly toolCalls: readonly { readonly id: string | null; readonly name: string; readonly arguments: unknown }[];
  readonly finishReason?: string;
  readonly error?: string;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
}

export function wireCases(folder: URL): readonly WireCase[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as WireCase);
}

export const bytesOf = ({ chunks, encoding }: Pick<WireCase, 'chunks' | 'encoding'>): readonly Uint8Array[] =>
  chunks.map((chunk) => new Uint8Array(Buffer.from(chunk, encoding)));

/** A fetch whose body hands out these chunks and then ends, or breaks. */
export function fetchOf(chunks: readonly Uint8Array[], { status, headers, endsBy }: Answer): typeof fetch {
  return () => {
    let next = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks[next++];
        if (chunk) controller.enqueue(chunk);
        else if (endsBy === 'close') controller.close();
        else controller.error(new TypeError('terminated'));
      },
    });
    return Promise.resolve(new Response(body, { status, headers }));
  };
}

/** The same without the platform's streams, which take most of the time where a case is read hundreds of times. */
export function quickFetchOf(chunks: readonly Uint8Array[], { status, headers, endsBy }: Answer): typeof fetch {
  return () => {
    let next = 0;
    const read = () => {
      const value = chunks[next++];
      if (!value && endsBy === 'cut') return Promise.reject(new TypeError('terminated'));
      return Promise.resolve({ done: !value, value });
    };
    const body = { getReader: () => ({ read, cancel: () => Promise.resolve() }) };
    return Promise.resolve({ ok: status < 300, status, headers: new Headers(headers), body } as unknown as Response);
  };
}

/** A body that is longer is not cut at every offset, but at as many as `spreadOffsets` tells. */
const longBody = 3000;
const spreadOffsets = 200;

/** The same body with every byte as its own chunk. */
export function byteByByte(chunks: readonly Uint8Array[]): readonly Uint8Array[] {
  return Array.from(joined(chunks), (byte) => Uint8Array.of(byte));
}

/** The same body in two chunks, for each place where it can be cut. */
export function* cutInTwo(
  chunks: readonly Uint8Array[],
): Generator<{ readonly offset: number; readonly chunks: readonly Uint8Array[] }> {
  const body = joined(chunks);
  const cuts = body.length > longBody ? spreadOffsets : body.length - 1;
  for (let cut = 1; cut <= cuts; cut++) {
    const offset = Math.round((cut * body.length) / (cuts + 1));
    yield { offset, chunks: [body.subarray(0, offset), body.subarray(offset)] };
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(chunks));
}
