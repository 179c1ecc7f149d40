import type { Subscribable } from 'rxjs';
import { ConfigurationError } from '../chat/configuration-error.ts';
import { isPromiseLike, isSubscribable } from '../chat/value.ts';

/** What is sent: a stream, also of another RxJS copy, or a promise of one value. */
export type SseValues = Subscribable<unknown> | PromiseLike<unknown>;

/** Throws unless there is a stream, or a promise of a value; a promise that nobody comes to read is heard here. */
export function checkValues(where: string, values: unknown): void {
  if (isPromiseLike(values)) values.then(undefined, () => undefined);
  else if (!isSubscribable(values))
    throw new ConfigurationError(
      `${where}: the values are to be an Observable, or a promise, not ${values === null ? 'null' : typeof values}; give one value as of(value).`,
    );
}
