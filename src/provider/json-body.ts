import { isObject } from '../chat/is-object.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * The body of a request as JSON text: settings, with the caller's own merged over them, and what was serialised before.
 * Objects are merged, all else is replaced; what the caller sets himself is not serialised.
 */
export function jsonBody(
  settings: Json,
  providerOptions: Json = {},
  serialised: Readonly<Record<string, () => string>> = {},
): string {
  const own = JSON.stringify(merged(settings, providerOptions)).slice(1, -1);
  const others = Object.entries(serialised)
    .filter(([key]) => !Object.hasOwn(providerOptions, key))
    .map(([key, json]) => `${JSON.stringify(key)}:${json()}`);
  return `{${[...(own ? [own] : []), ...others].join(',')}}`;
}

/** Both, with the second over the first where they are unlike: objects are merged, all else is replaced. */
export function merged(base: Json, over: Json): Json {
  const both = Object.entries(over).map(([key, value]) => {
    const below = base[key];
    return [key, isObject(below) && isObject(value) ? merged(below, value) : value] as const;
  });
  return { ...base, ...Object.fromEntries(both) };
}
