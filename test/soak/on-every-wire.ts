import { lastValueFrom } from 'rxjs';
import type { ChatMessage } from '../../src/chat/message.ts';
import { wireModels, type WireProvider } from '../wire/wire-models.ts';
import { bodyViolations } from './server-side.ts';
import { sideOf } from './server-sides/side-of.ts';

const providers = Object.keys(wireModels) as readonly WireProvider[];

/** Why some provider would refuse this history, followed by one more question. */
export async function onEveryWire(history: readonly ChatMessage[]): Promise<readonly string[]> {
  const question: ChatMessage = { role: 'user', contents: [{ type: 'text', text: 'And then?' }] };
  const violations = await Promise.all(providers.map((provider) => sent(provider, [...history, question])));
  return violations.flat();
}

async function sent(provider: WireProvider, messages: readonly ChatMessage[]): Promise<readonly string[]> {
  let violations: readonly string[] = [`${provider}: nothing was sent`];
  const fetch = (url: RequestInfo | URL, { body }: RequestInit = {}): Promise<Response> => {
    const path = new URL(url as string).pathname.slice(1);
    violations = bodyViolations(sideOf(path)!, JSON.parse(body as string)).map((violation) => `on ${path}: ${violation}`);
    return Promise.resolve(new Response('{}', { status: 400 }));
  };
  const model = wireModels[provider]({ modelName: 'soak', baseUrl: 'http://127.0.0.1', fetch });
  await lastValueFrom(model.chat({ messages }), { defaultValue: undefined }).catch(() => undefined);
  return violations;
}
