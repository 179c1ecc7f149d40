import { defer, forkJoin, map, of } from 'rxjs';
import { checkCount, checkKnownOptions, invalidOption } from '../../chat/option-checks.ts';
import type { ToolSpecification } from '../../chat/tool-specification.ts';
import { bestOf } from './best-of.ts';
import { embedTexts } from './embed-texts.ts';
import type { EmbeddingModel } from './embedding-model.ts';
import { found } from './found.ts';
import { queryTool } from './query-tool.ts';
import { searchToolOptions, type SearchToolOptions } from './search-tool.ts';
import { toolEmbeddings } from './tool-embeddings.ts';
import type { ToolSearchStrategy } from './tool-search-strategy.ts';
import { similarity } from './unit-vector.ts';

export interface VectorToolSearchOptions extends SearchToolOptions {
  readonly embeddingModel: EmbeddingModel;
  /** The least similarity of a tool that is found, from -1 (the opposite) to 1 (the same): 0 by default. */
  readonly minScore?: number | undefined;
  /** The vectors of how many tools are kept, those that were needed last: 10,000 by default, 0 for none. */
  readonly cacheSize?: number | undefined;
}

export interface VectorToolSearch extends ToolSearchStrategy {
  /** Forgets the vectors of the tools, as is needed after a change of the embedding model. */
  clearCache(): void;
}

/**
 * Finds the tools whose names and descriptions are nearest in meaning to what the model asks for, by the cosine of their
 * vectors. The vectors of tools are kept for later searches, that of the query is not.
 *
 *     embed query  --v|
 *     embed tools  ----v|    at the first search
 *     result       ----(r|)
 *
 * Throws a `ConfigurationError` on options that can't work. A search errors with a `ToolExecutionError` when the embedding
 * model fails, or when its vectors can't be compared.
 *
 * @example
 * aiService({ model, tools: manyTools, toolSearchStrategy: vectorToolSearch({ embeddingModel }) });
 */
export function vectorToolSearch(options: VectorToolSearchOptions): VectorToolSearch {
  const where = 'vectorToolSearch';
  checkKnownOptions(where, options, [...searchToolOptions, 'embeddingModel', 'minScore', 'cacheSize']);
  const { embeddingModel, minScore = 0, cacheSize = 10_000 } = options;
  if (typeof (embeddingModel as Partial<EmbeddingModel> | undefined)?.embed !== 'function')
    throw invalidOption(where, 'embeddingModel', embeddingModel, 'it must be an object with the method embed');
  if (typeof minScore !== 'number' || !(minScore >= -1 && minScore <= 1))
    throw invalidOption(where, 'minScore', minScore, 'it must be a number from -1 to 1');
  checkCount(where, 'cacheSize', cacheSize, 0);
  const { specifications, maxResults, argumentOf } = queryTool(where, options);
  const embeddings = toolEmbeddings(embeddingModel, cacheSize);
  return {
    searchTools: () => specifications,
    search: ({ request, searchableTools }) =>
      defer(() => {
        const query = argumentOf(request);
        if (searchableTools.length === 0) return of(found([]));
        return forkJoin([embedTexts(embeddingModel, [query]), embeddings.of(searchableTools.map(textOf))]).pipe(
          map(([[wanted], offered]) => {
            const best = bestOf(searchableTools, (_, place) => similarity(wanted!, offered[place]!), {
              least: minScore,
              max: maxResults,
            });
            return found(best.map(({ name }) => name));
          }),
        );
      }),
    clearCache: () => embeddings.clear(),
  };
}

function textOf({ name, description }: ToolSpecification): string {
  return description?.trim() ? `${name}: ${description}` : name;
}
