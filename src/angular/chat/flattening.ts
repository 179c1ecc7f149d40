import { concatMap, exhaustMap, switchMap } from 'rxjs';

/** What a question does to an answer that is under way: it ends it, waits for its end, or is not asked. */
export type Flattening = 'switch' | 'concat' | 'exhaust';

export const flattenings = { switch: switchMap, concat: concatMap, exhaust: exhaustMap };
