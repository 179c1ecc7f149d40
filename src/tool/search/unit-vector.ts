import { ToolExecutionError } from '../tool-errors.ts';

/** The vector at length 1, so that a product with another is their cosine; zeros stay zeros. Throws on what is no vector. */
export function unitVector(vector: ArrayLike<number>): Float64Array {
  const length: unknown = (vector as ArrayLike<number> | null | undefined)?.length;
  if (typeof vector !== 'object' || typeof length !== 'number' || length < 1)
    throw new ToolExecutionError('The embedding model returned something that is no vector of numbers.');
  let largest = 0;
  for (let i = 0; i < length; i++) {
    const value: unknown = vector[i];
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw new ToolExecutionError(`The embedding model returned a vector with ${String(value)} at ${i} instead of a number.`);
    largest = Math.max(largest, Math.abs(value));
  }
  const unit = new Float64Array(length);
  if (largest === 0) return unit;
  // Scaled first: squares of very large or small numbers have no place in a double.
  let squares = 0;
  for (let i = 0; i < length; i++) {
    const scaled = vector[i]! / largest;
    unit[i] = scaled;
    squares += scaled * scaled;
  }
  const norm = Math.sqrt(squares);
  return unit.map((value) => value / norm);
}

/** The cosine of the angle between two unit vectors: 1 for the same direction, 0 for none in common, -1 for the opposite. */
export function similarity(one: Float64Array, other: Float64Array): number {
  if (one.length !== other.length) {
    throw new ToolExecutionError(
      `The embedding model returned vectors of ${one.length} and of ${other.length} numbers, which can't be compared; after a change of the model, clear the cache.`,
    );
  }
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += one[i]! * other[i]!;
  // Rounding may take it a hair too far.
  return Math.max(-1, Math.min(1, sum));
}
