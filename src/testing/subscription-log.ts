import { Observable, asyncScheduler } from 'rxjs';
import { drawMarbles, parseMarbles } from './marbles.ts';

/** When somebody subscribed, and when that ended: by completion, error or unsubscribe. */
export interface SubscriptionSpan {
  readonly from: number;
  to: number | undefined;
}

/** Watches how a source is subscribed to. */
export function logged<T>(source: Observable<T>, log: SubscriptionSpan[]): Observable<T> {
  return new Observable<T>((subscriber) => {
    const span: SubscriptionSpan = { from: asyncScheduler.now(), to: undefined };
    log.push(span);
    subscriber.add(() => {
      span.to = asyncScheduler.now();
    });
    return source.subscribe(subscriber);
  });
}

/** When to subscribe and when to leave, as `--^---!` tells it; throws an Error on a diagram that tells something else. */
export function subscriptionSpan(marbles: string): { readonly from: number; readonly to: number | undefined } {
  const marks = parseMarbles(marbles);
  const odd = marks.find(({ symbol }) => symbol !== '^' && symbol !== '!');
  if (odd)
    throw new Error(`The subscription ${marbles} has ${odd.symbol}; it tells by ^ and ! when to subscribe and when to leave.`);
  const frameOf = (wanted: string) => marks.find(({ symbol }) => symbol === wanted)?.frame;
  return { from: frameOf('^') ?? 0, to: frameOf('!') };
}

/** Most tests are shorter, and can be seen as they are. */
const longestGap = 200;

/** `^` where it began and `!` where it ended, as in `--^---!`. */
export function drawSpan({ from, to }: SubscriptionSpan): string {
  const marks = [{ frame: from, symbol: '^' }];
  return drawMarbles(to === undefined ? marks : [...marks, { frame: to, symbol: '!' }], longestGap);
}
