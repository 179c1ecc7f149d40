import type { Observable } from 'rxjs';
import { invalidOption } from './option-checks.ts';
import { isSubscribable, toObservable } from './value.ts';

/** A stream that code of the user returned; throws a `ConfigurationError` that names that code where it is none. */
export function checkedStream<T>(where: string, source: string, returned: Observable<T>): Observable<T> {
  if (isSubscribable(returned)) return toObservable<T>(returned);
  throw invalidOption(where, `what ${source} returned`, returned, 'it must be an Observable');
}
