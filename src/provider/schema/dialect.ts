import type { JsonSchema } from '../../chat/tool-specification.ts';

/** What a provider's dialect of JSON Schema takes. */
export interface Dialect {
  /** Keywords that are kept, and with which values; those that give a schema its structure are not among them. */
  readonly keeps: ReadonlyMap<string, (value: unknown) => boolean>;
  /** Whether a value may stand in a list of values. */
  readonly enumValue: (value: unknown) => boolean;
  readonly constant: 'const' | 'enum';
  /** Whether each object takes exactly its own properties, so that there are no records and no values of any type. */
  readonly closed: boolean;
  readonly tuples: boolean;
  /** Whether a schema may hold itself. */
  readonly recursion: boolean;
  /** Whether `#` may be pointed at. */
  readonly rootRef: boolean;
  /** What becomes of properties that are not required: they stay so, may be null instead, or have no form. */
  readonly optionals: 'kept' | 'nullable' | 'refused';
}

/** A schema in a dialect, or why it has no form there. */
export type DialectForm = { readonly schema: JsonSchema } | { readonly schema?: undefined; readonly why: string };

/** For keywords that are kept with any value. */
export const anyValue = (): boolean => true;

/** A value that has no values in it. */
export function isPlainValue(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
