import { scriptedUpstream } from './scripted-upstream.ts';
import type { Upstream } from './upstream.ts';

/** The API that the environment names, or one with scripted answers where it names none. */
export async function chosenUpstream(env: NodeJS.ProcessEnv): Promise<Upstream> {
  const { OPENAI_API_KEY: key, OPENAI_BASE_URL: url, OPENAI_MODEL: modelName } = env;
  if (!key && !url) return scriptedUpstream();
  return {
    url: (url || 'https://api.openai.com/v1').replace(/\/+$/, ''),
    key: key || undefined,
    modelName: modelName || 'gpt-5-mini',
    description: modelName || 'gpt-5-mini',
    stop: () => Promise.resolve(),
  };
}
