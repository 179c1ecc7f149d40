/**
 * Ids that are the same in every run: `id-1`, `id-2`, … For the `idGenerator` of services and models.
 *
 * @example
 * aiService({ model, idGenerator: sequentialIds() });
 */
export function sequentialIds(prefix = 'id'): () => string {
  let last = 0;
  return () => `${prefix}-${++last}`;
}
