import { defer, type Observable } from 'rxjs';
import { ChatModelError, type ChatModelErrorDetails } from '../chat/chat-model-error.ts';
import type { ChatModel, ChatModelEvent } from '../chat/chat-model.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import { parseJson } from '../chat/parse-json.ts';
import { thenStream } from '../chat/then-stream.ts';
import { decodeText } from './decode-text.ts';
import { httpErrors, shortened } from './http-errors.ts';
import { httpHeaders } from './http-headers.ts';
import { httpStream, type HttpExchange } from './http-stream.ts';
import { originalNames } from './original-names.ts';
import { providerError, wordsIn } from './provider-error.ts';
import type { ProviderSettings } from './provider-options.ts';
import { redactedErrors, redactor } from './redact.ts';
import { retrying } from './retrying.ts';
import { stallLimits } from './stall-limits.ts';
import { totalLimit } from './total-limit.ts';
import { wireEvents } from './wire-events.ts';
import type { Wire } from './wire.ts';

/** The model behind a wire. */
export function wireModel(wire: Wire, settings: ProviderSettings): ChatModel {
  const { modelName, scheduler, timeout, maxRetries, defaultRequest } = settings;
  const headers$ = httpHeaders(wire, settings);
  return {
    provider: wire.provider,
    modelName,
    supports: { jsonSchema: true },
    chat: (request) =>
      retrying(attempt(wire, settings, headers$, { modelName, ...defaultRequest, ...withoutUndefined(request) }), {
        maxRetries,
        scheduler,
      }).pipe(
        totalLimit(timeout.total, scheduler, () =>
          failure(wire, 'timeout', `the answer took longer than ${timeout.total} ms`, false),
        ),
      ),
  };
}

/** What is not set must not hide what is set by default. */
function withoutUndefined(request: ChatRequest): ChatRequest {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as unknown as ChatRequest;
}

function attempt(
  wire: Wire,
  settings: ProviderSettings,
  headers$: Observable<Headers>,
  request: ChatRequest,
): Observable<ChatModelEvent> {
  return defer(() => {
    const body = wire.body(request);
    return thenStream(headers$, (headers) => answer(wire, settings, request, headers, body));
  });
}

/** Bytes → text → events of the wire → events of a model. */
function answer(
  wire: Wire,
  settings: ProviderSettings,
  request: ChatRequest,
  headers: Headers,
  body: string,
): Observable<ChatModelEvent> {
  const { baseUrl, fetch, scheduler, timeout, maxEventSize, idGenerator } = settings;
  const redact = redactor(headers);
  const url = `${baseUrl}${wire.path(request)}`;
  const errors = httpErrors(wire.provider, url, () => scheduler.now(), redact);
  const exchange: HttpExchange = { url, headers, body, fetch, scheduler, errors };
  const malformed = (reason: string) => failure(wire, 'malformedResponse', reason, false);
  return httpStream(exchange).pipe(
    stallLimits(timeout, scheduler, (limit) =>
      failure(wire, 'timeout', `nothing came for ${timeout[limit]} ms (timeout.${limit})`, true),
    ),
    decodeText(),
    wire.framing.events({
      maxEventSize,
      tooLarge: () => malformed(`an event of the stream is longer than ${maxEventSize} characters (maxEventSize)`),
      noEvent: (head) => withoutEvent(wire, exchange, redact(head)),
    }),
    wireEvents(wire, { idGenerator, redact, onDone: () => (exchange.isDone = true) }),
    originalNames(request.toolSpecifications, wire.toolName),
    redactedErrors(redact),
  );
}

/** A body that is something else than a stream: an error in JSON, a login page, nothing. */
function withoutEvent(wire: Wire, { response }: HttpExchange, head: string): Error {
  const said = wordsIn(parseJson(head));
  if (said) return providerError(wire.provider, said);
  const type = response?.headers.get('content-type') ?? 'unknown';
  const isEmpty = !head.trim() || head.trimStart().startsWith(':');
  if (isEmpty) return failure(wire, 'malformedResponse', 'the stream carried no event', true);
  const reason = `the body is not an event stream (content type ${type}); it begins: ${shortened(head)}`;
  return failure(wire, 'malformedResponse', reason, false);
}

function failure({ provider }: Wire, kind: ChatModelErrorDetails['kind'], reason: string, retryable: boolean): ChatModelError {
  return new ChatModelError(`${provider}: ${reason}`, { kind, provider, retryable });
}
