import { LLMock } from '@copilotkit/aimock';
import { script, watchable, type Loss } from './script.ts';
import type { Upstream } from './upstream.ts';

/** An API with scripted answers, on loopback. */
export async function scriptedUpstream(pace = watchable, loss?: Loss): Promise<Upstream> {
  const mock = new LLMock({ host: '127.0.0.1', port: 0 }).addFixtures(script(pace, loss));
  const url = await mock.start();
  const description = 'an embedded server with scripted answers (set OPENAI_API_KEY for a real model)';
  return { url: `${url}/v1`, description, stop: () => mock.stop() };
}
