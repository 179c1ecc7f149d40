import { defer, type Observable } from 'rxjs';
import type { ChatModelEvent } from '../chat/chat-model.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import type { ModelInterceptor } from './options.ts';
import type { Run } from './run.ts';

/** What the model answers to a request, through the interceptors, the first of them outermost. */
export function modelAnswers({ model, settings, invocation }: Run, request: ChatRequest): Observable<ChatModelEvent> {
  type Ask = (request: ChatRequest) => Observable<ChatModelEvent>;
  const around =
    (ask: Ask, interceptor: ModelInterceptor): Ask =>
    (next) =>
      defer(() => interceptor(next, invocation, ask));
  const ask = (settings.interceptors?.model ?? []).reduceRight(around, (next: ChatRequest) => defer(() => model.chat(next)));
  return ask(request);
}
