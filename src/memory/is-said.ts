import { isObject } from '../chat/is-object.ts';

/** Whether a store holds what it was given: it may have put keys in another order, and added some of its own. */
export function isSaid(held: unknown, given: unknown): boolean {
  if (held === given) return true;
  if (Array.isArray(given))
    return Array.isArray(held) && held.length === given.length && given.every((item, place) => isSaid(held[place], item));
  return isObject(given) && isObject(held) && Object.keys(given).every((key) => isSaid(held[key], given[key]));
}
