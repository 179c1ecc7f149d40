import type { JsonPath } from './json-path.ts';

/** Arguments that come value by value, written down as the JSON text of one object. */
export interface StreamedArguments {
  /** Takes a value, or a further piece of a text; returns what it adds to the JSON text. */
  add(path: JsonPath, value: unknown): string;
  /** Takes the whole value of a key, in place of what was told of it before. */
  set(key: string, value: unknown): string;
  /** Returns the end of the JSON text. */
  end(): string;
}

const mostHoles = 10_000;

type Branch = Record<string | number, unknown>;

/**
 * Values come in the order of the text, as a rule, and are written at once. What comes out of order is held back, and its
 * key is written once more at the end: of two values under one key the last one counts.
 */
export function streamedArguments(): StreamedArguments {
  /** All that was told. */
  const root = emptyBranch(false);
  /** The way to the value written last: the objects and lists on it are open. */
  let written: JsonPath = [];
  /** Whether the value written last is a text, which may go on. */
  let isTextOpen = false;
  /** The keys of the root of which something came out of order. */
  const late = new Set<string>();
  /** How many places of lists were passed over. */
  let holes = 0;

  const isNext = (path: JsonPath, depth: number): boolean => {
    if (written.length === 0) return true;
    const step = path[depth];
    const last = written[depth];
    if (typeof step === 'number') return typeof last === 'number' && step > last;
    return typeof step === 'string' && typeof last === 'string' && !(step in branchAt(root, path, depth));
  };
  const closed = (depth: number): string => {
    const ends = written.slice(depth + 1).map((step) => (typeof step === 'number' ? ']' : '}'));
    return (isTextOpen ? '"' : '') + ends.reverse().join('');
  };
  const opened = (path: JsonPath, depth: number): string => {
    const last = written[depth];
    const first = typeof last === 'number' ? 'null,'.repeat((path[depth] as number) - last - 1) : '';
    const start = written.length === 0 ? '{' : `${closed(depth)},${first}`;
    const beginnings = path
      .slice(depth + 1)
      .map((step) => (typeof step === 'number' ? `[${'null,'.repeat(step)}` : `{${keyText(step)}`));
    return start + keyText(path[depth]!) + beginnings.join('');
  };
  const write = (path: JsonPath, value: unknown): string => {
    const key = path[0] as string;
    const depth = sharedLength(written, path);
    const isSame = depth === path.length && depth === written.length;
    const goesOn = isSame && isTextOpen && typeof value === 'string';
    const isInOrder = !late.has(key) && (goesOn || isNext(path, depth));
    holes += put(root, path, value);
    // Each is written: a short path must not make a long text.
    if (holes > mostHoles) throw new RangeError(`more than ${mostHoles} places of the lists in the arguments are left out`);
    if (!isInOrder) {
      late.add(key);
      return '';
    }
    if (goesOn) return JSON.stringify(value).slice(1, -1);
    const text = opened(path, depth);
    written = path;
    isTextOpen = typeof value === 'string';
    const json = JSON.stringify(value);
    return text + (isTextOpen ? json.slice(0, -1) : json);
  };
  const add = (path: JsonPath, value: unknown): string => {
    const entries = entriesOf(value);
    if (entries.length === 0) return write(path, value);
    return entries.map(([step, inner]) => add([...path, step], inner)).join('');
  };

  return {
    add,
    set(key, value) {
      if (!(key in root)) return add([key], value);
      late.add(key);
      delete root[key];
      return add([key], value);
    },
    end() {
      if (written.length === 0) return '{}';
      const again = [...late].map((key) => `,${keyText(key)}${JSON.stringify(root[key])}`);
      return `${closed(0)}${again.join('')}}`;
    },
  };
}

/** Objects have no prototype, which a key must not reach. */
const emptyBranch = (isList: boolean): Branch => (isList ? [] : Object.create(null)) as Branch;

const isBranch = (value: unknown): value is Branch => typeof value === 'object' && value !== null;

const keyText = (step: string | number): string => (typeof step === 'number' ? '' : `${JSON.stringify(step)}:`);

function entriesOf(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.map((item, place) => [place, item] as const);
  return isBranch(value) ? Object.entries(value) : [];
}

function sharedLength(one: JsonPath, other: JsonPath): number {
  const length = Math.min(one.length, other.length);
  for (let i = 0; i < length; i++) if (one[i] !== other[i]) return i;
  return length;
}

function branchAt(root: Branch, path: JsonPath, depth: number): Branch {
  return path.slice(0, depth).reduce<Branch>((branch, step) => branch[step] as Branch, root);
}

/** Returns how many places of lists it passes over. */
function put(root: Branch, path: JsonPath, value: unknown): number {
  let branch = root;
  let holes = 0;
  for (let i = 0; i < path.length - 1; i++) {
    holes += holesBefore(branch, path[i]!);
    branch = innerBranch(branch, path[i]!, typeof path[i + 1] === 'number');
  }
  const last = path.at(-1)!;
  holes += holesBefore(branch, last);
  const before = branch[last];
  if (isBranch(value)) branch[last] = emptyBranch(Array.isArray(value));
  else branch[last] = typeof before === 'string' && typeof value === 'string' ? before + value : value;
  return holes;
}

function holesBefore(branch: Branch, step: string | number): number {
  return Array.isArray(branch) && typeof step === 'number' ? Math.max(0, step - branch.length) : 0;
}

function innerBranch(branch: Branch, step: string | number, isList: boolean): Branch {
  const inner = branch[step];
  if (isBranch(inner) && Array.isArray(inner) === isList) return inner;
  return (branch[step] = emptyBranch(isList));
}
