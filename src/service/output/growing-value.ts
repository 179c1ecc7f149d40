/** Something with values in it that is being filled, at the one place that is known by `key`. */
interface Level {
  container: Record<string, unknown> | unknown[];
  /** The snapshot that the container was made for: until that is handed out it may be written to. */
  madeFor: number;
  key: string | number;
  /** What stands under the present key is read, but is not in the value. */
  isDropped: boolean;
}

/** A value of objects and arrays that grows at its end, of which snapshots are taken in between. */
export interface GrowingValue {
  readonly inside: 'object' | 'array' | undefined;
  open(kind: 'object' | 'array'): void;
  close(): void;
  /** Goes to a key of the object that is open. */
  toKey(key: string): void;
  /** Goes to the next place of the array that is open. */
  toNext(): void;
  /** Sets what stands at the present place. */
  put(value: unknown): void;
  /** The value so far. It never changes again, and shares with earlier ones whatever is the same. */
  snapshot(): unknown;
}

/**
 * Only what is open can change, so a snapshot copies the containers on the way to the open place, each of them flat and
 * only if it has changed, and keeps the rest.
 *
 * Keys by which an object could change the prototype of another are left out, as in the arguments of tools.
 */
export function growingValue(): GrowingValue {
  const levels: Level[] = [];
  let snapshots = 0;
  let root: unknown;

  const write = (level: Level, change: (container: Record<string | number, unknown>) => void) => {
    if (level.madeFor !== snapshots) {
      level.container = Array.isArray(level.container) ? [...level.container] : { ...level.container };
      level.madeFor = snapshots;
    }
    change(level.container as Record<string | number, unknown>);
  };
  const putAt = (level: Level | undefined, value: unknown) => {
    if (!level) root = value;
    else if (!level.isDropped && (level.container as Record<string | number, unknown>)[level.key] !== value)
      write(level, (container) => (container[level.key] = value));
  };

  return {
    get inside() {
      const level = levels.at(-1);
      return level && (Array.isArray(level.container) ? 'array' : 'object');
    },
    open(kind) {
      const container = kind === 'array' ? [] : {};
      levels.push({ container, madeFor: snapshots, key: 0, isDropped: false });
    },
    close() {
      const closed = levels.pop();
      putAt(levels.at(-1), closed?.container);
    },
    toKey(key) {
      const level = levels.at(-1)!;
      level.key = key;
      level.isDropped = key === '__proto__';
      const parent = levels.at(-2);
      if (key !== 'prototype' || parent?.key !== 'constructor') return;
      parent.isDropped = true;
      write(parent, (container) => Reflect.deleteProperty(container, 'constructor'));
    },
    toNext() {
      const level = levels.at(-1)!;
      level.key = Number(level.key) + 1;
    },
    put: (value) => putAt(levels.at(-1), value),
    snapshot() {
      for (let depth = levels.length - 1; depth >= 0; depth--) putAt(levels[depth - 1], levels[depth]!.container);
      snapshots++;
      return root;
    },
  };
}
