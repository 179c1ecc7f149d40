import { isObject } from '../chat/is-object.ts';
import { wireJson } from './wire-json.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * The body of a request as JSON text: settings, with the caller's own merged over them, and what was serialised before.
 * Objects are merged, all else is replaced; what the caller sets himself is not serialised.
 */
export function jsonBody(
  settings: Json,
  providerOptions?: Json,
  serialised: Readonly<Record<string, () => string>> = {},
): string {
  let body = wireJson(providerOptions ? merged(settings, providerOptions) : settings).slice(0, -1);
  for (const [key, json] of Object.entries(serialised)) {
    // Added and not joined: what was serialised may be long, and would be copied once more.
    if (!providerOptions || !Object.hasOwn(providerOptions, key)) body += `${body === '{' ? '' : ','}${wireJson(key)}:${json()}`;
  }
  return `${body}}`;
}

/** Both, with the second over the first where they are unlike: objects are merged, all else is replaced. */
export function merged(base: Json, over: Json): Json {
  const both = Object.entries(over).map(([key, value]) => {
    const below = base[key];
    return [key, isObject(below) && isObject(value) ? merged(below, value) : value] as const;
  });
  return { ...base, ...Object.fromEntries(both) };
}
