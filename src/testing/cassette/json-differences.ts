import { redacted } from './redaction.ts';
import type { RequestPath } from './request-path.ts';

/** One place at which two requests differ; a side is `undefined` where it has nothing there. */
export interface Difference {
  readonly path: RequestPath;
  readonly recorded: unknown;
  readonly came: unknown;
}

/** Where two values of JSON differ. The order of properties tells nothing, and what is ignored is as if it were alike. */
export function jsonDifferences(
  recorded: unknown,
  came: unknown,
  path: RequestPath,
  isIgnored: (path: RequestPath) => boolean,
): readonly Difference[] {
  if (isIgnored(path) || isSame(recorded, came)) return [];
  const whole = [{ path, recorded, came }];
  if (Array.isArray(recorded) && Array.isArray(came)) {
    const length = Math.max(recorded.length, came.length);
    return Array.from({ length }, (_, i) => i).flatMap((i) => jsonDifferences(recorded[i], came[i], [...path, i], isIgnored));
  }
  if (!isObjectOrAbsent(recorded) || !isObjectOrAbsent(came)) return whole;
  const keys = [...new Set([...Object.keys(recorded ?? {}), ...Object.keys(came ?? {})])];
  const inner = keys.flatMap((key) => jsonDifferences(own(recorded, key), own(came, key), [...path, key], isIgnored));
  if (recorded !== undefined && came !== undefined) return inner;
  // An object that is missing is told as a whole, unless all that it could hold is ignored.
  return inner.length > 0 || keys.length === 0 ? whole : [];
}

type Json = Readonly<Record<string, unknown>>;

function isObjectOrAbsent(value: unknown): value is Json | undefined {
  return value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value));
}

function own(value: Json | undefined, key: string): unknown {
  return value && Object.hasOwn(value, key) ? value[key] : undefined;
}

function isSame(recorded: unknown, came: unknown): boolean {
  // A secret may also be missing: whoever replays needs no key.
  if (recorded === came || recorded === redacted) return true;
  return typeof recorded === 'string' && typeof came === 'string' && hasAround(recorded, came);
}

/** Whether a text has in their order the pieces of the recorded one between which something was redacted. */
function hasAround(recorded: string, came: string): boolean {
  const [first = '', ...others] = recorded.split(redacted);
  const last = others.pop();
  if (last === undefined || !came.startsWith(first)) return false;
  let position = first.length;
  for (const piece of others) {
    const found = came.indexOf(piece, position);
    if (found < 0) return false;
    position = found + piece.length;
  }
  return came.length - last.length >= position && came.endsWith(last);
}
