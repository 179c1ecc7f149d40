import { defer, type Observable } from 'rxjs';
import { ChatModelError, type ChatModelErrorDetails } from '../../chat/chat-model-error.ts';
import type { ChatModel, ChatModelEvent } from '../../chat/chat-model.ts';
import type { ChatRequest } from '../../chat/chat-request.ts';
import { parseJson } from '../../chat/parse-json.ts';
import { thenStream } from '../../chat/then-stream.ts';
import { decodeText } from '../decode-text.ts';
import { httpErrors, shortened } from '../http-errors.ts';
import { httpHeaders } from '../http-headers.ts';
import { httpStream, type HttpExchange } from '../http-stream.ts';
import { providerError, wordsIn } from '../provider-error.ts';
import { providerSettings, type ProviderOptions, type ProviderSettings } from '../provider-options.ts';
import { redactedErrors, redactor } from '../redact.ts';
import { retrying } from '../retrying.ts';
import { sse } from '../sse.ts';
import { stallLimits } from '../stall-limits.ts';
import { totalLimit } from '../total-limit.ts';
import { chatBody } from './chat-body.ts';
import { chatEvents } from './chat-events.ts';
import { originalNames } from './original-names.ts';

const provider = 'openai';

const openAiUrl = /^https?:\/\/([^/?#]+\.)?openai\.com([:/?#]|$)/;

const failure = (kind: ChatModelErrorDetails['kind'], reason: string, retryable: boolean) =>
  new ChatModelError(`${provider}: ${reason}`, { kind, provider, retryable });

/**
 * A model behind the chat-completions API of OpenAI, or of any server that speaks it.
 *
 * Throws a `ConfigurationError` when an option can't work; a request that fails errors with a `ChatModelError`.
 *
 * @example
 * const model = openAiChat({ modelName: 'gpt-5-mini', apiKey: () => vault.read('openai') });
 * const local = openAiChat({ modelName: 'qwen3', baseUrl: 'http://localhost:11434/v1' });
 */
export function openAiChat(options: ProviderOptions): ChatModel {
  const settings = providerSettings('openAiChat', options, 'https://api.openai.com/v1');
  const { modelName, scheduler, timeout, maxRetries } = settings;
  const headers$ = httpHeaders(provider, settings);
  return {
    provider,
    modelName,
    supports: { jsonSchema: true },
    chat: (request) =>
      retrying(attempt(settings, headers$, { modelName, ...settings.defaultRequest, ...withoutUndefined(request) }), {
        maxRetries,
        scheduler,
      }).pipe(
        totalLimit(timeout.total, scheduler, () => failure('timeout', `the answer took longer than ${timeout.total} ms`, false)),
      ),
  };
}

/** What is not set must not hide what is set by default. */
function withoutUndefined(request: ChatRequest): ChatRequest {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as unknown as ChatRequest;
}

function attempt(settings: ProviderSettings, headers$: Observable<Headers>, request: ChatRequest): Observable<ChatModelEvent> {
  return defer(() => {
    const body = chatBody(request, { speaksToOpenAi: openAiUrl.test(settings.baseUrl) });
    return thenStream(headers$, (headers) => answer(settings, request, headers, body));
  });
}

/** Bytes → text → server-sent events → the events of a model. */
function answer(settings: ProviderSettings, request: ChatRequest, headers: Headers, body: string): Observable<ChatModelEvent> {
  const { baseUrl, fetch, scheduler, timeout, maxEventSize, idGenerator } = settings;
  const redact = redactor(headers);
  const url = `${baseUrl}/chat/completions`;
  const exchange: HttpExchange = {
    url,
    headers,
    body,
    fetch,
    scheduler,
    errors: httpErrors(provider, url, () => scheduler.now(), redact),
  };
  return httpStream(exchange).pipe(
    stallLimits(timeout, scheduler, (limit) =>
      failure('timeout', `nothing came for ${timeout[limit]} ms (timeout.${limit})`, true),
    ),
    decodeText(),
    sse({
      maxEventSize,
      tooLarge: () =>
        failure('malformedResponse', `an event of the stream is longer than ${maxEventSize} characters (maxEventSize)`, false),
      noEvent: (head) => withoutEvent(exchange, redact(head)),
    }),
    chatEvents({ provider, idGenerator, redact, onDone: () => (exchange.isDone = true) }),
    originalNames(request.toolSpecifications),
    redactedErrors(redact),
  );
}

/** A body that is something else than a stream: an error in JSON, a login page, nothing. */
function withoutEvent({ response }: HttpExchange, head: string): Error {
  const said = wordsIn(parseJson(head));
  if (said) return providerError(provider, said);
  const type = response?.headers.get('content-type') ?? 'unknown';
  if (!head.trim() || head.trimStart().startsWith(':')) return failure('malformedResponse', 'the stream carried no event', true);
  return failure(
    'malformedResponse',
    `the body is not an event stream (content type ${type}); it begins: ${shortened(head)}`,
    false,
  );
}
