import { onceFor } from './once-for.ts';

/** Remembers the JSON of what never changes, such as a message: a later round pays for what is new. */
export function serialisedOnce<T extends object>(toJson: (value: T) => string): (value: T) => string {
  return onceFor(toJson);
}
