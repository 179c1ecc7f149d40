import { map, tap, type Observable } from 'rxjs';
import { checkRequest } from '../chat/check-request.ts';
import type { ChatRequest, ToolChoice } from '../chat/chat-request.ts';
import { isObject } from '../chat/is-object.ts';
import type { ChatMessage } from '../chat/message.ts';
import { invalidOption } from '../chat/option-checks.ts';
import { thenStream } from '../chat/then-stream.ts';
import { fromValue } from '../chat/value.ts';
import { failingBy } from './failing-by.ts';
import { offeredTools } from './provided-tools.ts';
import type { Run } from './run.ts';
import { userCode } from './user-code.ts';

/** The request of a round: the history, the tools, and what the caller asked for. The user's transformer has the last word. */
export function chatRequestOf(run: Run): Observable<ChatRequest> {
  const { settings, tools, conversation, invocation, memory } = run;
  const { chatRequestTransformer, dynamicProviders } = settings;
  const history$ = memory ? conversation.messages().pipe(failingBy(run, 'memory')) : conversation.messages();
  const messages$ =
    dynamicProviders.length === 0
      ? history$
      : thenStream(history$, (messages) =>
          offeredTools(run, messages).pipe(
            tap(tools.offer),
            map(() => messages),
          ),
        );
  const request$ = messages$.pipe(map((messages) => plainRequest(run, messages)));
  if (!chatRequestTransformer) return request$;
  return thenStream(request$, (request) =>
    userCode(
      run,
      fromValue(() => chatRequestTransformer(request, invocation)),
    ).pipe(map(checked)),
  );
}

function plainRequest({ chatRequest, gathered, policy, tools }: Run, messages: readonly ChatMessage[]): ChatRequest {
  const toolSpecifications = tools.specifications(messages);
  const hasTools = toolSpecifications.length > 0;
  const isFirst = gathered.toolExecutions.length === 0;
  const toolChoice = gathered.limit ? 'none' : isFirst ? undefined : laterToolChoice(chatRequest.toolChoice);
  return {
    ...(policy.responseFormat && { responseFormat: policy.responseFormat }),
    ...chatRequest,
    messages,
    ...(hasTools && { toolSpecifications }),
    ...((hasTools || chatRequest.toolChoice) && toolChoice && { toolChoice }),
  };
}

/** A choice that forces a tool is for the first request: forced again, the model could never answer. */
function laterToolChoice(choice: ToolChoice | undefined): ToolChoice {
  // Said, not left out: the model's own default may force one too.
  return choice === 'none' ? 'none' : 'auto';
}

function checked(request: unknown): ChatRequest {
  const messages: unknown = (request as Partial<ChatRequest> | undefined)?.messages;
  if (Array.isArray(messages) && messages.every(isObject)) {
    checkRequest('aiService: what chatRequestTransformer returned', request as ChatRequest);
    return request as ChatRequest;
  }
  throw invalidOption(
    'aiService',
    'what chatRequestTransformer returned',
    request,
    'it must return a chat request with its messages',
  );
}
