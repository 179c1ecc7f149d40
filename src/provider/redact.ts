import { ChatModelError } from '../chat/chat-model-error.ts';

const secretName =
  /auth|key|token|secret|cookie|pass|pwd|credential|session|sign|assertion|jwt|dpop|^(x-)?(code|sig|sas|pat)$|-code$/i;

/** Words and numbers that stand there for want of a key, such as `ollama`, occur in any text; what is shorter is no secret. */
const harmless = /^(.{0,3}|[a-z]{4,8}|\d{4,8})$/i;

type NamedValues = Iterable<readonly [name: string, value: string]>;

/** Takes the values of secret headers, and of secrets in the URL, out of a text: servers quote what they were sent. */
export function redactor(headers: NamedValues, url = ''): (text: string) => string {
  // Read when the first text comes, which is to say when something has failed.
  let secrets: readonly string[] | undefined;
  return (text) => {
    secrets ??= secretsIn(headers, url);
    return secrets.reduce((result, secret) => result.replaceAll(secret, '[redacted]'), text);
  };
}

function secretsIn(headers: NamedValues, url: string): readonly string[] {
  const [, query = ''] = url.split('?');
  // A server may quote the URL, and write what is escaped in it in one way or the other.
  const asWritten = query.split('&').map((pair) => [pair.replace(/=.*/s, ''), pair.replace(/^[^=]*=?/, '')] as const);
  const named = [...headers, ...new URLSearchParams(query), ...asWritten].filter(([name]) => secretName.test(name));
  const all = named
    .flatMap(([, value]) => formsOf(value))
    .filter((secret) => !harmless.test(secret))
    .flatMap(writtenAs);
  // What holds another is taken out first.
  return [...new Set(all)].sort((one, other) => other.length - one.length);
}

/** As it is, and as it stands in JSON and in URLs, which not all write alike. */
function writtenAs(secret: string): readonly string[] {
  const [json, uri] = [JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
  return [secret, json, json.replaceAll('/', '\\/'), uri, uri.replace(/%../g, (code) => code.toLowerCase())];
}

/** The value and its parts: without the scheme, each cookie, and the password of Basic. */
function formsOf(value: string): readonly string[] {
  const parts = value.split(/[\s;,]+/).flatMap((part) => [part, part.replace(/^[\w.-]+=/, '')]);
  const [, basic] = /^Basic\s+(\S+)/i.exec(value) ?? [];
  return [value, value.replace(/^\S+\s+/, ''), ...parts, ...(basic === undefined ? [] : decoded(basic).split(':'))];
}

function decoded(base64: string): string {
  try {
    return atob(base64);
  } catch {
    return '';
  }
}

/** The last look at what leaves the provider: an error may quote a secret from any place that a server can write to. */
export function redactedError(error: unknown, redact: (text: string) => string): unknown {
  if (!(error instanceof ChatModelError)) return error;
  const { message, kind, provider, status, requestId, retryable, retryAfter, cause } = error;
  if (redact(message) === message && (requestId === undefined || redact(requestId) === requestId)) return error;
  return new ChatModelError(redact(message), {
    kind,
    provider,
    retryable,
    ...(status !== undefined && { status }),
    ...(requestId !== undefined && { requestId: redact(requestId) }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(cause !== undefined && { cause }),
  });
}
