import { Observable, defer } from 'rxjs';
import { checkedStream } from '../chat/checked-stream.ts';
import type { ChatModelEvent } from '../chat/chat-model.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import { isObject } from '../chat/is-object.ts';
import { invalidOption } from '../chat/option-checks.ts';
import type { ModelInterceptor } from './options.ts';
import type { Run } from './run.ts';
import { userCode } from './user-code.ts';

/** What the model answers to a request, through the interceptors, the first of them outermost. */
export function modelAnswers(run: Run, request: ChatRequest): Observable<ChatModelEvent> {
  const { model, settings, invocation } = run;
  type Ask = (request: ChatRequest) => Observable<ChatModelEvent>;
  const around =
    (ask: Ask, interceptor: ModelInterceptor, place: number): Ask =>
    (next) =>
      defer(() => checkedStream('aiService', `interceptors.model[${place}]`, interceptor(next, invocation, ask, model)));
  const answer: Ask = (next) => {
    if (!isObject(next)) throw invalidOption('aiService', 'what interceptors.model gave to next', next, 'it must be the request');
    return checkedStream('aiService', 'model.chat', model.chat(next));
  };
  const interceptors = settings.interceptors?.model ?? [];
  // Interceptors are the user's code. A bare model is not: its tokens need not pay for stepping out of it, one by one.
  if (interceptors.length === 0)
    return new Observable((subscriber) => run.inContext(() => answer(request).subscribe(subscriber)));
  const ask = interceptors.reduceRight(around, (next: ChatRequest) => defer(() => answer(next)));
  return userCode(run, ask(request));
}
