/** Remembers the JSON of what never changes, such as a message: a later round pays for what is new. */
export function serialisedOnce<T extends object>(toJson: (value: T) => string): (value: T) => string {
  const known = new WeakMap<T, string>();
  return (value) => {
    let json = known.get(value);
    if (json === undefined) known.set(value, (json = toJson(value)));
    return json;
  };
}
