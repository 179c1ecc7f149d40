import { defer, type Observable } from 'rxjs';
import type { ChatModel } from '../index.ts';
import { withEmbeddedModel } from './embedded-model.ts';
import { providers, type DemoProvider } from './providers.ts';

export interface ChosenModel {
  readonly model: ChatModel;
  /** What it is, for the user. */
  readonly description: string;
}

type Environment = NodeJS.ProcessEnv;

const embedded =
  'an embedded server with scripted answers (for a real model set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, ' +
  'or TOOLSTREAM_PROVIDER=ollama)';

/** Lends the model that the environment names, or an embedded one where it names none. Empty variables count as unset. */
export function withChosenModel<T>(env: Environment, use: (chosen: ChosenModel) => Observable<T>): Observable<T> {
  return defer(() => {
    const provider = chosenProvider(env);
    if (!provider) return withEmbeddedModel((model) => use({ model, description: embedded }));
    return use(realModel(env, provider));
  });
}

/** The one that is asked for, else the first that has a key, or works without. */
function chosenProvider(env: Environment): DemoProvider | undefined {
  const name = env['TOOLSTREAM_PROVIDER'];
  if (!name) return Object.values(providers).find((provider) => provider.keyless !== 'always' && isUsable(env, provider));
  const asked = Object.hasOwn(providers, name) ? providers[name]! : undefined;
  if (!asked) throw new Error(`TOOLSTREAM_PROVIDER is ${name}; it must be one of ${Object.keys(providers).join(', ')}`);
  if (isUsable(env, asked)) return asked;
  const { keys, url } = asked;
  const remedy = `Set ${keys.join(' or ')}, or ${url} to a server that takes no key`;
  throw new Error(`TOOLSTREAM_PROVIDER is ${name}, but there is no key for it. ${remedy}`);
}

function isUsable(env: Environment, { keys, url, keyless }: DemoProvider): boolean {
  return keyless === 'always' || [...keys, url].some((variable) => env[variable]);
}

function realModel(env: Environment, provider: DemoProvider): ChosenModel {
  const apiKey = provider.keys.map((key) => env[key]).find(Boolean);
  const url = env[provider.url] || undefined;
  const modelName = env[provider.modelName] || provider.defaultModelName;
  const model = provider.model({ modelName, apiKey, ...(url && { baseUrl: provider.baseUrl(url) }) });
  return { model, description: modelName };
}
