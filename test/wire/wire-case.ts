/// <reference types="vite/client" />
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

// Read by Vite, because the tests also run in browsers; as text, because a key `__proto__` would not survive as a module.
const files = import.meta.glob<string>('./cases/*.json', { query: '?raw', import: 'default', eager: true });

export const wireCases: readonly WireCase[] = Object.keys(files)
  .sort()
  .map((file) => JSON.parse(files[file]!) as WireCase);

export const bytesOf = ({ chunks, encoding }: Pick<WireCase, 'chunks' | 'encoding'>): readonly Uint8Array[] =>
  chunks.map((chunk) => (encoding === 'utf8' ? new TextEncoder().encode(chunk) : fromBase64(chunk)));

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

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

export function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
