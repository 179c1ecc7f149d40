import { catchError, map, type Observable } from 'rxjs';
import { jsonText } from '../../chat/json-safe.ts';
import { fromValue } from '../../chat/value.ts';
import { ToolExecutionError, messageOf } from '../tool-errors.ts';
import type { EmbeddingModel } from './embedding-model.ts';
import { unitVector } from './unit-vector.ts';

/** One request to the model, its vectors at length 1. Whatever goes wrong is a `ToolExecutionError`. */
export function embedTexts(model: EmbeddingModel, texts: readonly string[]): Observable<readonly Float64Array[]> {
  return fromValue(() => model.embed(texts)).pipe(
    map((vectors) => checked(vectors, texts.length).map(unitVector)),
    catchError((thrown: unknown) => {
      if (thrown instanceof ToolExecutionError) throw thrown;
      throw new ToolExecutionError(`The embedding model failed: ${messageOf(thrown)}`, { cause: thrown });
    }),
  );
}

function checked(vectors: readonly ArrayLike<number>[], count: number): readonly ArrayLike<number>[] {
  const isArray: boolean = Array.isArray(vectors);
  if (isArray && vectors.length === count) return vectors;
  const what = isArray ? `${vectors.length} vectors` : jsonText(vectors).slice(0, 80);
  throw new ToolExecutionError(`The embedding model returned ${what} for ${count} texts; it must return an array of one each.`);
}
