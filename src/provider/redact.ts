import { catchError, type MonoTypeOperatorFunction } from 'rxjs';
import { ChatModelError } from '../chat/chat-model-error.ts';

const secretHeader = /auth|key|token|secret|cookie/i;

/** Takes the values of secret headers out of a text: servers quote what they were sent. */
export function redactor(headers: Headers): (text: string) => string {
  // Read when the first text comes, which is to say when something has failed.
  let secrets: readonly string[] | undefined;
  return (text) => {
    secrets ??= secretsIn(headers);
    return secrets.reduce((result, secret) => result.replaceAll(secret, '[redacted]'), text);
  };
}

function secretsIn(headers: Headers): readonly string[] {
  return [...headers]
    .filter(([name]) => secretHeader.test(name))
    .flatMap(([, value]) => [value, value.replace(/^(Bearer|Basic) /i, '')])
    .filter((value) => value.length >= 4);
}

/** The last look at what leaves the provider: an error may quote a secret from any place that a server can write to. */
export function redactedErrors<T>(redact: (text: string) => string): MonoTypeOperatorFunction<T> {
  return catchError((error: unknown) => {
    if (!(error instanceof ChatModelError)) throw error;
    const { message, kind, provider, status, requestId, retryable, retryAfter, cause } = error;
    if (redact(message) === message && (requestId === undefined || redact(requestId) === requestId)) throw error;
    throw new ChatModelError(redact(message), {
      kind,
      provider,
      retryable,
      ...(status !== undefined && { status }),
      ...(requestId !== undefined && { requestId: redact(requestId) }),
      ...(retryAfter !== undefined && { retryAfter }),
      ...(cause !== undefined && { cause }),
    });
  });
}
