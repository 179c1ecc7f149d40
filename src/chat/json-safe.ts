/**
 * A copy of any value that `JSON.stringify` takes without throwing and without losing what was there.
 *
 * bigint → its digits as text · Map → object (or list of pairs) · Set → list · bytes → base64 · Error → name and message ·
 * a value inside itself → `[Circular]` · function and symbol → their text · `Response` and `Blob` → that nobody has read them.
 * A `toJSON` that throws counts as absent.
 */
export function jsonSafe(value: unknown): unknown {
  return convert(value, { parents: [], budget: { left: maxValues } });
}

/** How many values are told of one thing: objects that hold each other are told along every way to them. */
const maxValues = 100_000;

/** Where a conversion is, and how much it may still tell. */
interface Walk {
  readonly parents: readonly object[];
  readonly budget: { left: number };
}

/** `JSON.stringify` of `jsonSafe`: always text, for any value. */
export function jsonText(value: unknown): string {
  return JSON.stringify(jsonSafe(value)) ?? 'undefined';
}

function convert(value: unknown, walk: Walk): unknown {
  try {
    return converted(value, walk);
  } catch {
    return '[Unreadable]';
  }
}

function converted(value: unknown, walk: Walk): unknown {
  if (--walk.budget.left < 0) return '[…]';
  switch (typeof value) {
    case 'bigint':
    case 'symbol':
      return String(value);
    case 'function':
      return `[Function ${value.name || 'anonymous'}]`;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'object':
      return value === null ? null : convertObject(value, walk);
    default:
      return value;
  }
}

function convertObject(value: object, walk: Walk): unknown {
  if (walk.parents.includes(value)) return '[Circular]';
  const inside: Walk = { ...walk, parents: [...walk.parents, value] };
  if (inside.parents.length > 100) return '[Deep]';
  const json = withToJson(value);
  if (json !== value) return typeof json === 'object' && json !== null ? convertObject(json, inside) : convert(json, inside);
  if (Array.isArray(value)) return value.map((item) => convert(item, inside) ?? null);
  if (value instanceof Map) return convertMap(value, inside);
  if (value instanceof Set) return Array.from(value, (item) => convert(item, inside) ?? null);
  if (value instanceof Error)
    return convertProperties(
      [
        ['name', () => value.name],
        ['message', () => value.message],
      ],
      inside,
    );
  if (value instanceof ArrayBuffer) return base64(new Uint8Array(value));
  if (ArrayBuffer.isView(value)) return base64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  const keys = Object.keys(value);
  if (keys.length === 0 && isBody(value)) return '[Unread body: return what its text() gives]';
  return convertProperties(
    keys.map((key) => [key, () => (value as Record<string, unknown>)[key]]),
    inside,
  );
}

/** A `Response`, a `Request` or a `Blob`, also of another realm: all that it holds would be lost. */
function isBody({ text, arrayBuffer }: { readonly text?: unknown; readonly arrayBuffer?: unknown }): boolean {
  return typeof text === 'function' && typeof arrayBuffer === 'function';
}

function withToJson(value: object): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  try {
    // Node's Buffer has a toJSON that lists every byte: bytes are handled by their own rule.
    const { toJSON } = value as { toJSON?: unknown };
    return typeof toJSON === 'function' && !ArrayBuffer.isView(value) ? toJSON.call(value) : value;
  } catch {
    return value;
  }
}

function convertMap(map: ReadonlyMap<unknown, unknown>, walk: Walk): unknown {
  const entries = [...map];
  if (!entries.every(([key]) => typeof key === 'string')) return entries.map((entry) => convert(entry, walk));
  return convertProperties(
    entries.map(([key, item]) => [key as string, () => item]),
    walk,
  );
}

function convertProperties(properties: readonly (readonly [string, () => unknown])[], walk: Walk): unknown {
  const copy: Record<string, unknown> = {};
  for (const [key, read] of properties) {
    // Defined, not assigned: a key named __proto__ must stay a key.
    Object.defineProperty(copy, key, {
      value: convert(readSafely(read), walk),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

function readSafely(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return `[Throws ${String(error)}]`;
  }
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
