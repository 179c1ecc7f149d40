import { concat, of, type Observable } from 'rxjs';
import { assistant } from './assistant.ts';
import { withChosenModel } from './chosen-model.ts';
import { narrated } from './narrated.ts';
import type { Passage } from './passage.ts';

/** Asks the question and tells all that happens. Nothing runs before it is subscribed to, and nothing after it has ended. */
export function demo(question: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Observable<Passage> {
  return withChosenModel(env, ({ model, description }) => {
    const opening: readonly Passage[] = [
      { type: 'text', tone: 'dim', text: `To ${description}:` },
      { type: 'text', tone: 'bold', text: question },
    ];
    return concat(of(...opening), assistant(model).stream(question, { signal }).pipe(narrated()));
  });
}
