import type { Fault } from './fault.ts';
import type { ServerSide } from './server-side.ts';

/** What a server does with the connection, one step after the other. */
export type BodyStep =
  | { readonly type: 'send'; readonly bytes: Uint8Array }
  /** `ms` of none: as soon as everything else had its turn. */
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'end' }
  /** The connection breaks. */
  | { readonly type: 'break' }
  /** Nothing more happens until the client leaves. */
  | { readonly type: 'stay' };

/** How an answer goes out, given what goes wrong with it. */
export function bodyScript(fault: Fault, frames: readonly string[], { errorFrame, ping }: ServerSide): readonly BodyStep[] {
  const whole = bytesOf(frames);
  const behind = (count: number, more: readonly string[]) => [send(bytesOf([...frames.slice(0, count), ...more]))];
  switch (fault.type) {
    case 'cut':
      return [send(part(whole, 0, fault.at)), { type: 'wait', ms: 0 }, { type: 'break' }];
    case 'stall':
      return [send(part(whole, 0, fault.at)), { type: 'stay' }];
    case 'garble':
      return [send(garbled(whole, fault)), { type: 'end' }];
    case 'earlyEnd':
      return [...behind(placeIn(frames, fault.at), []), { type: 'end' }];
    case 'brokenFrame': {
      const place = placeIn(frames, fault.at);
      const [frame = ''] = frames.slice(place);
      const broken = frame.replace(/.{3}(\s*)$/, '$1');
      return [send(bytesOf([...frames.slice(0, place), broken, ...frames.slice(place + 1)])), { type: 'end' }];
    }
    case 'repeatedFrame': {
      const place = placeIn(frames, fault.at);
      return [...behind(place + 1, frames.slice(place)), { type: 'end' }];
    }
    case 'errorFrame':
      return [...behind(placeIn(frames, fault.at), [errorFrame]), { type: 'end' }];
    case 'repeatedEnd':
      return [send(bytesOf([...frames, ...frames.slice(-1)])), { type: 'end' }];
    case 'drip':
      return [...dripped(whole), { type: 'end' }];
    case 'pings':
      return [
        ...frames.flatMap((frame, place) => (place % 3 === 0 ? pinged(frame, ping) : [send(bytesOf([frame]))])),
        { type: 'end' },
      ];
    case 'emptyBody':
      return [{ type: 'end' }];
    case 'page':
      return [send(bytesOf(['<!doctype html><title>Sign in</title>'])), { type: 'end' }];
    case 'jsonBody':
      return [send(bytesOf(['{"error":{"message":"not now","type":"server_error"}}'])), { type: 'end' }];
    default:
      return [send(whole), { type: 'end' }];
  }
}

const bytesOf = (texts: readonly string[]): Uint8Array => Buffer.from(texts.join(''));

const send = (bytes: Uint8Array): BodyStep => ({ type: 'send', bytes });

const part = (bytes: Uint8Array, from: number, to: number): Uint8Array =>
  bytes.subarray(Math.floor(from * bytes.length), Math.floor(to * bytes.length));

/** The place of a frame; the last one is left whole, since what follows it is not read. */
const placeIn = (frames: readonly unknown[], at: number): number => Math.floor(at * (frames.length - 1));

function garbled(bytes: Uint8Array, { places, byte }: Extract<Fault, { type: 'garble' }>): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (const place of places) copy[Math.floor(place * copy.length)] = byte;
  return copy;
}

/** How many bytes come one by one: a whole answer would take too long. */
const drops = 300;

function dripped(bytes: Uint8Array): readonly BodyStep[] {
  const singly = [...bytes.subarray(0, drops)].flatMap((byte): BodyStep[] => [
    send(Uint8Array.of(byte)),
    { type: 'wait', ms: 0 },
  ]);
  return [...singly, send(bytes.subarray(drops))];
}

const pinged = (frame: string, ping: string): readonly BodyStep[] => [
  send(bytesOf([ping])),
  { type: 'wait', ms: 2 },
  send(bytesOf([frame])),
];
