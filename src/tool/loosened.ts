import { parseJson } from '../chat/parse-json.ts';
import { withoutPrototypeKeys } from './prototype-keys.ts';
import type { ArgumentIssue } from './tool-errors.ts';

/** A union's issue holds those of its branches, with paths that begin at the union. */
interface UnionIssue extends ArgumentIssue {
  readonly expected?: unknown;
  readonly errors?: readonly (readonly UnionIssue[])[];
}

interface Place {
  readonly path: readonly PropertyKey[];
  /** The type that the schema wants there. */
  readonly expected: unknown;
}

/** How many branches of a union are tried one by one. */
const mostBranches = 5;

/**
 * Copies of the value in which the places that failed are read more kindly: JSON inside a string is decoded, and a null
 * property is left out; a text is read as a date where the schema wants one, and digits as a bigint. First all places; then, of
 * a union, those of each branch alone, since what one branch complains of may be what another wants.
 */
export function loosened(value: unknown, issues: readonly ArgumentIssue[]): readonly unknown[] {
  return readings(issues).flatMap((reading) => {
    const copy = copyOf(value);
    const changes = reading.flatMap((issue) => placesOf(issue, [])).map(({ path, expected }) => loosenAt(copy, path, expected));
    return changes.includes(true) ? [copy] : [];
  });
}

/** Of what is too deep to be copied there is none, in which nothing is found. */
function copyOf(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return undefined;
  }
}

function readings(issues: readonly UnionIssue[]): readonly (readonly UnionIssue[])[] {
  const union = issues.find(({ errors = [] }) => errors.length > 1);
  const branches = (union?.errors ?? []).slice(0, mostBranches);
  return [issues, ...branches.map((branch) => issues.map((issue) => (issue === union ? { ...union, errors: [branch] } : issue)))];
}

function placesOf(issue: UnionIssue, base: readonly PropertyKey[]): readonly Place[] {
  const path = [...base, ...issue.path];
  return [{ path, expected: issue.expected }, ...(issue.errors ?? []).flat().flatMap((inner) => placesOf(inner, path))];
}

function loosenAt(root: unknown, path: readonly PropertyKey[], expected: unknown): boolean {
  const key = path.at(-1);
  const parent = path.slice(0, -1).reduce<unknown>((inner, step) => ownValue(inner, step), root);
  if (key === undefined || typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, key)) return false;
  const holder = parent as Record<PropertyKey, unknown>;
  const current = holder[key];
  if (current === null && !Array.isArray(parent)) return delete holder[key];
  const decoded = fromJson(current, expected) ?? (typeof current === 'string' ? decode(current) : undefined);
  if (decoded === undefined) return false;
  holder[key] = decoded;
  return true;
}

/** What JSON has no values for: a model can only write it as text. */
function fromJson(value: unknown, expected: unknown): unknown {
  if (expected === 'date' && typeof value === 'string' && !Number.isNaN(Date.parse(value))) return new Date(value);
  const isWhole = Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d+$/.test(value));
  return expected === 'bigint' && isWhole ? BigInt(value as string | number) : undefined;
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
