import { onceFor } from './once-for.ts';

/** Remembers the JSON of what never changes, such as a message: a later round pays for what is new. */
export function serialisedOnce<T extends object>(toJson: (value: T) => string): (value: T) => string {
  const known = onceFor((value: T) => ({ json: toJson(value), length: lengthOf(value) }));
  return (value) => {
    const { json, length } = known(value);
    // A list that somebody has added to since.
    return length === lengthOf(value) ? json : toJson(value);
  };
}

function lengthOf(value: object): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}
