import { defer, type Observable } from 'rxjs';
import type { ChatModel } from '../index.ts';
import { openAiChat } from '../provider/openai/index.ts';
import { withEmbeddedModel } from './embedded-model.ts';

export interface ChosenModel {
  readonly model: ChatModel;
  /** What it is, for the user. */
  readonly description: string;
}

const embedded =
  'an embedded server with scripted answers (set OPENAI_API_KEY or OPENAI_BASE_URL, and OPENAI_MODEL, for a real model)';

/** Lends the model that the environment names, or an embedded one where it names none. Empty variables count as unset. */
export function withChosenModel<T>(env: NodeJS.ProcessEnv, use: (chosen: ChosenModel) => Observable<T>): Observable<T> {
  const apiKey = env['OPENAI_API_KEY'] || undefined;
  const baseUrl = env['OPENAI_BASE_URL'] || undefined;
  const modelName = env['OPENAI_MODEL'] || 'gpt-5-mini';
  if (!apiKey && !baseUrl) {
    return withEmbeddedModel((model) => use({ model, description: embedded }));
  }
  return defer(() => use({ model: openAiChat({ modelName, apiKey, baseUrl }), description: modelName }));
}
