import type { LLMock } from '@copilotkit/aimock';
import { defer, finalize, from, switchMap, type Observable } from 'rxjs';
import type { ChatModel } from '../index.ts';
import { openAiChat } from '../provider/openai/index.ts';
import { bankScript } from './bank/script.ts';
import { script } from './script.ts';

/** Starts a server with scripted answers on loopback, lends a model that talks to it over HTTP, and stops it at any end. */
export function withEmbeddedModel<T>(use: (model: ChatModel) => Observable<T>): Observable<T> {
  return defer(async () => {
    const { LLMock } = await import('@copilotkit/aimock');
    return new LLMock({ host: '127.0.0.1', port: 0 }).addFixtures([...bankScript, ...script]);
  }).pipe(switchMap((server) => running(server, use)));
}

function running<T>(server: LLMock, use: (model: ChatModel) => Observable<T>): Observable<T> {
  return defer(() => {
    const started = server.start();
    return from(started).pipe(
      switchMap((url) => use(openAiChat({ modelName: 'scripted', baseUrl: `${url}/v1` }))),
      finalize(() => void started.then(() => server.stop()).catch(() => undefined)),
    );
  });
}
