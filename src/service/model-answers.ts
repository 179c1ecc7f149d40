import { Observable, defer, from } from 'rxjs';
import type { ChatModelEvent } from '../chat/chat-model.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import type { ModelInterceptor } from './options.ts';
import type { Run } from './run.ts';
import { userCode } from './user-code.ts';

/** What the model answers to a request, through the interceptors, the first of them outermost. */
export function modelAnswers(run: Run, request: ChatRequest): Observable<ChatModelEvent> {
  const { model, settings, invocation } = run;
  type Ask = (request: ChatRequest) => Observable<ChatModelEvent>;
  const around =
    (ask: Ask, interceptor: ModelInterceptor): Ask =>
    (next) =>
      defer(() => interceptor(next, invocation, ask, model));
  const interceptors = settings.interceptors?.model ?? [];
  // Interceptors are the user's code. A bare model is not: its tokens need not pay for stepping out of it, one by one.
  if (interceptors.length === 0)
    return new Observable((subscriber) => run.inContext(() => from(model.chat(request)).subscribe(subscriber)));
  const ask = interceptors.reduceRight(around, (next: ChatRequest) => defer(() => model.chat(next)));
  return userCode(run, ask(request));
}
