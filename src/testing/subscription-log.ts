import { Observable, asyncScheduler } from 'rxjs';

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

/** `^` where it began and `!` where it ended, as in `--^---!`. */
export function drawSpan({ from, to }: SubscriptionSpan): string {
  if (to === undefined) return `${'-'.repeat(from)}^`;
  return `${'-'.repeat(from)}${to === from ? '(^!)' : `^${'-'.repeat(to - from - 1)}!`}`;
}
