/** Values that are there as a whole or not at all. */
type Whole =
  | string
  | number
  | bigint
  | boolean
  | symbol
  | null
  | undefined
  | Date
  | RegExp
  | Uint8Array
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | ((...args: never[]) => unknown);

/**
 * A value of type `T` that has not come whole: every property may be missing, an array may be shorter, a tuple may end
 * early. What is in an array is there, though it may be partial itself.
 */
export type DeepPartial<T> = T extends Whole
  ? T
  : T extends readonly (infer Item)[]
    ? number extends T['length']
      ? DeepPartialArray<T, Item>
      : { [Place in keyof T]?: DeepPartial<T[Place]> }
    : T extends object
      ? { [Key in keyof T]?: DeepPartial<T[Key]> }
      : T;

type DeepPartialArray<T, Item> = T extends unknown[] ? DeepPartial<Item>[] : readonly DeepPartial<Item>[];
