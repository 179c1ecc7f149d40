import type { Random } from './random.ts';

/**
 * What a server does wrong with one answer. Places in the body are shares of it, times are ms. The first ones are no
 * faults at all, only unusual: those answers must arrive whole.
 */
export type Fault =
  | { readonly type: 'none' | 'drip' | 'flood' | 'pings' | 'plainType' | 'repeatedEnd' }
  | { readonly type: 'delay'; readonly ms: number }
  /** The headers never come. */
  | { readonly type: 'silence' }
  /** The connection breaks within the body. */
  | { readonly type: 'cut'; readonly at: number }
  /** Nothing more comes, and the connection stays. */
  | { readonly type: 'stall'; readonly at: number }
  | { readonly type: 'garble'; readonly places: readonly number[]; readonly byte: number }
  /** The body ends as it should, behind a whole frame in the midst of the answer. */
  | { readonly type: 'earlyEnd'; readonly at: number }
  | { readonly type: 'brokenFrame' | 'repeatedFrame' | 'errorFrame'; readonly at: number }
  | { readonly type: 'status'; readonly status: number; readonly retryAfter?: string }
  | { readonly type: 'htmlStatus'; readonly status: number }
  /** The connection breaks before, or within, the headers. */
  | { readonly type: 'reset' | 'cutInHeaders' | 'redirect' }
  | { readonly type: 'emptyBody' | 'page' | 'jsonBody' };

interface Kind {
  readonly weight: number;
  readonly make: (random: Random) => Fault;
}

const kinds: readonly Kind[] = [
  { weight: 50, make: () => ({ type: 'none' }) },
  { weight: 3, make: ({ between }) => ({ type: 'delay', ms: between(1, 30) }) },
  { weight: 3, make: () => ({ type: 'drip' }) },
  { weight: 2, make: () => ({ type: 'flood' }) },
  { weight: 2, make: () => ({ type: 'pings' }) },
  { weight: 1, make: () => ({ type: 'plainType' }) },
  { weight: 1, make: () => ({ type: 'repeatedEnd' }) },
  { weight: 1, make: () => ({ type: 'silence' }) },
  { weight: 5, make: ({ next }) => ({ type: 'cut', at: next() }) },
  { weight: 3, make: ({ next }) => ({ type: 'stall', at: next() }) },
  { weight: 4, make: ({ next, between }) => ({ type: 'garble', places: places(between(1, 3), next), byte: between(0, 255) }) },
  { weight: 3, make: ({ next }) => ({ type: 'earlyEnd', at: next() }) },
  { weight: 2, make: ({ next }) => ({ type: 'brokenFrame', at: next() }) },
  { weight: 2, make: ({ next }) => ({ type: 'repeatedFrame', at: next() }) },
  { weight: 2, make: ({ next }) => ({ type: 'errorFrame', at: next() }) },
  { weight: 3, make: ({ pick }) => rateLimit(pick(['none', '0', '1', '0.2', '120', 'soon'])) },
  { weight: 5, make: ({ pick }) => ({ type: 'status', status: pick([500, 503, 529, 529, 400, 401, 408]) }) },
  { weight: 1, make: ({ pick }) => ({ type: 'htmlStatus', status: pick([502, 504, 404]) }) },
  { weight: 2, make: () => ({ type: 'reset' }) },
  { weight: 2, make: () => ({ type: 'cutInHeaders' }) },
  { weight: 1, make: () => ({ type: 'redirect' }) },
  { weight: 2, make: ({ pick }) => ({ type: pick(['emptyBody', 'page', 'jsonBody'] as const) }) },
];

/** The fault of one answer; half of them have none. */
export const faultOf = (random: Random): Fault => random.weighted(kinds).make(random);

const places = (count: number, next: () => number): readonly number[] => Array.from({ length: count }, next);

function rateLimit(retryAfter: string): Fault {
  return { type: 'status', status: 429, ...(retryAfter !== 'none' && { retryAfter }) };
}
