import { TestScheduler } from 'rxjs/testing';
import { jsonText } from '../chat/json-safe.ts';
import { drawMarbles, type Mark } from './marbles.ts';
import { drawSpan } from './subscription-log.ts';

/** What RxJS' `TestScheduler` records of a source. */
interface Recorded {
  readonly frame: number;
  readonly notification: { readonly kind: string; readonly value?: unknown; readonly error?: unknown };
}

/** What it records of the subscriptions to a source. */
interface Subscribed {
  readonly subscribedFrame: number;
  readonly unsubscribedFrame: number;
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Several records of `TestScheduler` as diagrams in one notation, with a legend for what is no letter. */
export function drawNotifications(...records: readonly (readonly unknown[])[]): {
  readonly drawings: readonly string[];
  readonly legend: readonly string[];
} {
  const all = records.flat().filter(isRecorded);
  const plain = new Set(all.map(({ notification }) => notification.value).filter(isLetter));
  const free = [...letters].filter((letter) => !plain.has(letter));
  const named = new Map<string, string>();
  const symbolOf = ({ notification: { kind, value, error } }: Recorded): string => {
    if (kind === 'C') return '|';
    if (kind === 'N' && isLetter(value)) return value;
    const text = kind === 'E' ? `# ${described(error)}` : described(value);
    if (!named.has(text)) named.set(text, kind === 'E' ? '#' : (free.shift() ?? '•'));
    return named.get(text)!;
  };
  const drawings = records.map((record) =>
    record.every(isSubscribed)
      ? record
          .map(({ subscribedFrame: from, unsubscribedFrame: to }) => drawSpan({ from, to: to === Infinity ? undefined : to }))
          .join('  ') || 'none'
      : drawMarbles(
          record
            .filter(isRecorded)
            .map((message): Mark => ({ frame: message.frame / TestScheduler.frameTimeFactor, symbol: symbolOf(message) })),
        ),
  );
  return { drawings, legend: [...named].map(([text, symbol]) => (symbol === '#' ? text : `${symbol} ${text}`)) };
}

function isLetter(value: unknown): value is string {
  return typeof value === 'string' && /^[\p{L}\p{N}]$/u.test(value);
}

function described(value: unknown): string {
  return value instanceof Error ? `${value.name}: ${value.message}` : jsonText(value);
}

function isRecorded(message: unknown): message is Recorded {
  return typeof message === 'object' && message !== null && 'notification' in message;
}

function isSubscribed(log: unknown): log is Subscribed {
  return typeof log === 'object' && log !== null && 'subscribedFrame' in log;
}
