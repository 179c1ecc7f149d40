import { defer, type Observable } from 'rxjs';
import { ChatModelError, type ChatModelErrorDetails } from '../chat/chat-model-error.ts';
import type { ChatModel, ChatModelEvent } from '../chat/chat-model.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import { parseJson } from '../chat/parse-json.ts';
import { thenStream } from '../chat/then-stream.ts';
import { messageOf } from '../tool/tool-errors.ts';
import { decodeText } from './decode-text.ts';
import { httpErrors, shortened } from './http-errors.ts';
import { httpHeaders, type HttpHeaders } from './http-headers.ts';
import { httpStream, type HttpExchange } from './http-stream.ts';
import { merged } from './json-body.ts';
import { originalNames } from './original-names.ts';
import { providerError, wordsIn } from './provider-error.ts';
import type { ProviderSettings } from './provider-options.ts';
import { redactor } from './redact.ts';
import { checkToolChoice } from './request-error.ts';
import { retrying } from './retrying.ts';
import { stallLimits } from './stall-limits.ts';
import { totalLimit } from './total-limit.ts';
import { wireEvents } from './wire-events.ts';
import type { Wire } from './wire.ts';

/** The model behind a wire. */
export function wireModel(wire: Wire, settings: ProviderSettings): ChatModel {
  const { modelName, scheduler, timeout, maxRetries } = settings;
  const headersOf = httpHeaders(wire, settings);
  return {
    provider: wire.provider,
    modelName,
    supports: { jsonSchema: true },
    chat: (request) =>
      retrying(attempt(wire, settings, headersOf, requestOf(settings, request), request.toolChoice), {
        maxRetries,
        scheduler,
      }).pipe(
        totalLimit(timeout.total, scheduler, () =>
          failure(wire, 'timeout', `the answer took longer than ${timeout.total} ms`, false),
        ),
      ),
  };
}

/** The request with the defaults of the model. What is not set must not hide what is set by default. */
function requestOf({ modelName, defaultRequest = {} }: ProviderSettings, request: ChatRequest): ChatRequest {
  const set = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
  const { providerOptions } = defaultRequest;
  const both = providerOptions &&
    request.providerOptions && { providerOptions: merged(providerOptions, request.providerOptions) };
  return { modelName, ...defaultRequest, ...set, ...both } as ChatRequest;
}

function attempt(
  wire: Wire,
  settings: ProviderSettings,
  headersOf: () => HttpHeaders | Observable<HttpHeaders>,
  request: ChatRequest,
  toolChoice: ChatRequest['toolChoice'],
): Observable<ChatModelEvent> {
  return defer(() => {
    checkToolChoice(wire, request, toolChoice);
    const body = bodyOf(wire, request);
    return thenStream(headersOf(), (headers) => answer(wire, settings, request, headers, body));
  });
}

/** The body of the request; what can't be written as JSON, such as a schema that holds itself, is an error like any other. */
function bodyOf(wire: Wire, request: ChatRequest): string {
  try {
    return wire.body(request);
  } catch (error) {
    if (error instanceof ChatModelError) throw error;
    throw failure(wire, 'invalidRequest', `the request can't be written as JSON: ${messageOf(error)}`, false);
  }
}

/** Bytes → text → events of the wire → events of a model. */
function answer(
  wire: Wire,
  settings: ProviderSettings,
  request: ChatRequest,
  headers: HttpHeaders,
  body: string,
): Observable<ChatModelEvent> {
  const { baseUrl, fetch, scheduler, timeout, maxEventSize, idGenerator } = settings;
  const url = urlOf(baseUrl, wire.path(request));
  const redact = redactor(Object.entries(headers), url);
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
      noEvent: (head) => withoutEvent(wire, exchange, head, redact),
    }),
    wireEvents(wire, { idGenerator, redact, onDone: () => (exchange.isDone = true) }),
    originalNames(request.toolSpecifications, wire.toolName),
  );
}

/** The path of the call behind that of the base; a query in the base, such as Azure's `api-version`, stays at the end. */
function urlOf(baseUrl: string, path: string): string {
  const mark = baseUrl.indexOf('?');
  if (mark < 0) return baseUrl + path;
  const [base, query] = [baseUrl.slice(0, mark), baseUrl.slice(mark + 1)];
  return `${base.replace(/\/+$/, '')}${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** A body that is something else than a stream: an error in JSON, a login page, nothing. */
function withoutEvent(wire: Wire, { response }: HttpExchange, head: string, redact: (text: string) => string): Error {
  const said = wordsIn(parseJson(head));
  if (said) return providerError(wire.provider, said);
  const type = response?.headers.get('content-type') ?? 'unknown';
  const isEmpty = !head.trim() || head.trimStart().startsWith(':');
  if (isEmpty) return failure(wire, 'malformedResponse', 'the stream carried no event', true);
  const reason = `the body is not an event stream (content type ${type}); it begins: ${shortened(redact(head))}`;
  return failure(wire, 'malformedResponse', reason, false);
}

function failure({ provider }: Wire, kind: ChatModelErrorDetails['kind'], reason: string, retryable: boolean): ChatModelError {
  return new ChatModelError(`${provider}: ${reason}`, { kind, provider, retryable });
}
