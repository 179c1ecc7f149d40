// Values as servers send them: the types of the wire are a promise that not every server keeps.

/** Whether there is text, and not only the place for it. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The objects of a list; a lone object counts as a list of one, and all else as an empty one. */
export function list<T extends object>(value: unknown): readonly T[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.filter((item): item is T => typeof item === 'object' && item !== null);
}

/** A text, or a number as one. */
export function wireText(value: unknown): string | undefined {
  return typeof value === 'number' || isText(value) ? String(value) : undefined;
}

/** A place, which some servers send as text. */
export function wireIndex(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined;
}
