import { heapUsed } from './heap-used.ts';

/** Whether the heap stays as it is, measured whenever nothing runs. */
export interface HeapGrowth {
  /** Measures after so many invocations; returns the bytes in use. */
  measure(invocations: number): number;
  summary(): string;
  complaints(): readonly string[];
}

/** Until then code is compiled, sockets are opened and tables grow to their size. */
const warmUp = 2_000;

/**
 * Bytes that an invocation may leave behind. One that is leaked with its history and its closures is 10 kB and more, a lone timer or
 * listener some 200 bytes; what the runtime itself gains in a run, such as optimised code, is a few hundred kB in all.
 */
const bound = 200;

/** A growth that is less than this says nothing, however few the invocations were. */
const noise = 2 * 2 ** 20;

export function heapGrowth(): HeapGrowth {
  const points: { readonly invocations: number; readonly bytes: number }[] = [];
  const growth = () => {
    const first = points.find(({ invocations }) => invocations >= warmUp);
    const last = points.at(-1);
    if (!first || !last || last === first) return undefined;
    const bytes = last.bytes - first.bytes;
    return { bytes, each: bytes / (last.invocations - first.invocations) };
  };
  return {
    measure(invocations) {
      const bytes = heapUsed();
      points.push({ invocations, bytes });
      return bytes;
    },
    summary() {
      const grown = growth();
      if (!grown) return `heap: fewer than ${warmUp} invocations say nothing`;
      return `heap: ${(grown.bytes / 2 ** 20).toFixed(2)} MB more than after ${warmUp} invocations, ${grown.each.toFixed(0)} bytes each`;
    },
    complaints() {
      const grown = growth();
      return grown && grown.bytes > noise && grown.each > bound
        ? [`The heap grows by ${grown.each.toFixed(0)} bytes an invocation.`]
        : [];
    },
  };
}
