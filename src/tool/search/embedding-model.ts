import type { Value } from '../../chat/value.ts';

/**
 * Turns texts into vectors, so that texts of like meaning get vectors of like direction: one vector per text, in their
 * order, all of one length.
 *
 * @example
 * const embeddingModel: EmbeddingModel = {
 *   embed: async (input) => {
 *     const { data } = await client.embeddings.create({ model: 'text-embedding-3-small', input: [...input] });
 *     return data.map(({ embedding }) => embedding);
 *   },
 * };
 */
export interface EmbeddingModel {
  embed(texts: readonly string[]): Value<readonly ArrayLike<number>[]>;
}
