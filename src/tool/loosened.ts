import { parseJson } from '../chat/parse-json.ts';
import { withoutPrototypeKeys } from './prototype-keys.ts';
import type { ArgumentIssue } from './tool-errors.ts';

/** A union's issue holds those of its branches, with paths that begin at the union. */
interface UnionIssue extends ArgumentIssue {
  readonly errors?: readonly (readonly UnionIssue[])[];
}

/**
 * A copy of the value in which the places that failed are read more kindly: JSON inside a string is decoded, and a null
 * property is left out. `undefined` when there is nothing of that kind.
 */
export function loosened(value: unknown, issues: readonly ArgumentIssue[]): unknown {
  const copy = structuredClone(value);
  const places = issues.flatMap((issue) => placesOf(issue, []));
  const changes = places.map((path) => loosenAt(copy, path));
  return changes.includes(true) ? copy : undefined;
}

function placesOf(issue: UnionIssue, base: readonly PropertyKey[]): readonly (readonly PropertyKey[])[] {
  const path = [...base, ...issue.path];
  return [path, ...(issue.errors ?? []).flat().flatMap((inner) => placesOf(inner, path))];
}

function loosenAt(root: unknown, path: readonly PropertyKey[]): boolean {
  const key = path.at(-1);
  const parent = path.slice(0, -1).reduce<unknown>((inner, step) => ownValue(inner, step), root);
  if (key === undefined || typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, key)) return false;
  const holder = parent as Record<PropertyKey, unknown>;
  const current = holder[key];
  if (current === null && !Array.isArray(parent)) return delete holder[key];
  const decoded = typeof current === 'string' ? decode(current) : undefined;
  if (decoded === undefined) return false;
  holder[key] = decoded;
  return true;
}

function ownValue(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined;
}

function decode(text: string): unknown {
  const value = parseJson(text);
  return typeof value === 'string' || value === undefined ? undefined : withoutPrototypeKeys(text, value);
}
