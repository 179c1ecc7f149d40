import { isError, messageOf } from '../tool/tool-errors.ts';
import { redactor } from '../provider/redact.ts';
import type { McpClientSettings } from './mcp-client-options.ts';

/** Makes of what the SDK rejects with an error that names the server, and quotes no secret that it was sent. */
export function toldError({ transport }: McpClientSettings, serverName: () => string): (what: string, error: unknown) => Error {
  const redact =
    typeof transport === 'function' || 'command' in transport
      ? (text: string) => text
      : redactor(new Headers(transport.headers), String(transport.url));
  return (what, error) => {
    const message = messageOf(error);
    const inner = isError(error) ? reasonOf(error.cause) : '';
    const text = redact(`mcp server ${serverName()}: ${what}: ${message}${inner}`);
    // The SDK's errors hold the server's answer.
    const isClean = redact(describe(error)) === describe(error);
    return new Error(text, isClean ? { cause: error } : undefined);
  };
}

/** `fetch failed` says nothing; what is behind it does. */
function reasonOf(cause: unknown): string {
  const { code, message } = (cause ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return ` (${code})`;
  return typeof message === 'string' && message ? ` (${message})` : '';
}

function describe(error: unknown): string {
  try {
    const { message, data, cause } = error as { message?: unknown; data?: unknown; cause?: unknown };
    return JSON.stringify([message, data, isError(cause) ? cause.message : cause]);
  } catch {
    return '';
  }
}
