import { concat, type MonoTypeOperatorFunction, type Observable } from 'rxjs';
import type { AiServiceStreamingEvent } from '../index.ts';
import { assistant } from './assistant.ts';
import { withChosenModel } from './chosen-model.ts';
import { narrated } from './narrated.ts';
import { opening } from './opening.ts';
import type { Passage } from './passage.ts';

/** Looks on at what happens. */
export type Watch = MonoTypeOperatorFunction<AiServiceStreamingEvent>;

/** Asks the question and tells all that happens. Nothing runs before it is subscribed to, and nothing after it has ended. */
export function demo(question: string, env: NodeJS.ProcessEnv, signal: AbortSignal, watch: Watch): Observable<Passage> {
  return withChosenModel(env, ({ model, description }) =>
    concat(opening(description, question), assistant(model).stream(question, { signal }).pipe(watch, narrated())),
  );
}
