import { defer, finalize, forkJoin, map, of, shareReplay, tap, type Observable } from 'rxjs';
import { embedTexts } from './embed-texts.ts';
import type { EmbeddingModel } from './embedding-model.ts';

type Vectors = ReadonlyMap<string, Float64Array>;

/** The vectors of the texts of tools, which are asked for again and again. */
export interface ToolEmbeddings {
  /** In the order of the texts. The model is asked for those that are neither known nor under way. */
  of(texts: readonly string[]): Observable<readonly Float64Array[]>;
  clear(): void;
}

/** Keeps the vectors of up to `cacheSize` texts, those that were needed last. What failed is not kept. */
export function toolEmbeddings(model: EmbeddingModel, cacheSize: number): ToolEmbeddings {
  // In the order in which they were needed last. After `clear` another Map: what is under way then must not fill it.
  let known = new Map<string, Float64Array>();
  // The requests under way, by text: searches at the same time share them, and the last one that leaves stops them.
  let running = new Map<string, Observable<Vectors>>();

  const prepare = (texts: readonly string[]): void => {
    const [cache, pending] = [known, running];
    const vectors$ = embedTexts(model, texts).pipe(
      map((vectors): Vectors => new Map(texts.map((text, place) => [text, vectors[place]!]))),
      tap((vectors) => keep(cache, vectors, cacheSize)),
      finalize(() => texts.forEach((text) => pending.delete(text))),
      shareReplay({ bufferSize: 1, refCount: true }),
    );
    for (const text of texts) pending.set(text, vectors$);
  };

  return {
    of: (texts) =>
      defer(() => {
        const needed = [...new Set(texts)];
        const cached: Vectors = new Map(needed.flatMap((text) => (known.has(text) ? [[text, known.get(text)!]] : [])));
        keep(known, cached, cacheSize);
        const missing = needed.filter((text) => !cached.has(text) && !running.has(text));
        if (missing.length > 0) prepare(missing);
        const inOrder = (parts: readonly Vectors[]) => texts.map((text) => parts.find((part) => part.has(text))!.get(text)!);
        const requests = [...new Set(needed.flatMap((text) => (cached.has(text) ? [] : running.get(text)!)))];
        if (requests.length === 0) return of(inOrder([cached]));
        return forkJoin(requests).pipe(map((fetched) => inOrder([cached, ...fetched])));
      }),
    clear() {
      known = new Map();
      running = new Map();
    },
  };
}

/** Puts the vectors at the end, as those that were needed last, and drops from the beginning what is too much. */
function keep(cache: Map<string, Float64Array>, vectors: Vectors, size: number): void {
  for (const [text, vector] of vectors) {
    cache.delete(text);
    cache.set(text, vector);
  }
  for (const text of cache.keys()) {
    if (cache.size <= size) return;
    cache.delete(text);
  }
}
