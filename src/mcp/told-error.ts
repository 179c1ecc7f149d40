import { jsonText } from '../chat/json-safe.ts';
import { redactor } from '../provider/redact.ts';
import { isError, messageOf } from '../tool/tool-errors.ts';
import { commandSecrets } from './command-secrets.ts';
import type { McpClientSettings, McpTransport } from './mcp-client-options.ts';

/** Makes of what the SDK rejects with an error that names the server, and quotes no secret that it was sent. */
export function toldError({ transport }: McpClientSettings, serverName: () => string): (what: string, error: unknown) => Error {
  const redact = redactorOf(transport);
  return (what, error) => {
    const chain = causes(error);
    const text = redact(`mcp server ${serverName()}: ${what}: ${messageOf(error)}${reasonOf(chain)}`);
    // The SDK's errors hold what the server answered.
    const held = chain.map(({ message, data }) => `${message}\n${jsonText(data)}`).join('\n');
    return new Error(text, redact(held) === held && !chain.some(isOfProgram) ? { cause: error } : undefined);
  };
}

function redactorOf(transport: McpTransport): (text: string) => string {
  if (typeof transport === 'function') return (text) => text;
  if ('url' in transport) return redactor(new Headers(transport.headers), String(transport.url));
  const secrets = commandSecrets(transport);
  return (text) => secrets.reduce((result, secret) => result.replaceAll(secret, '[redacted]'), text);
}

/** Such errors of Node hold all words that a program was started with. */
const isOfProgram = (link: Link): boolean => 'spawnargs' in link || 'spawnfile' in link;

type Link = Error & { readonly code?: unknown; readonly data?: unknown };

/** An error and what is behind it. */
function causes(error: unknown): readonly Link[] {
  const chain: Link[] = [];
  for (let link = error; isError(link) && chain.length < 5; link = link.cause) chain.push(link);
  return chain;
}

/** `fetch failed` says nothing; the code of what is behind it does. */
function reasonOf(chain: readonly Link[]): string {
  const { code } = chain.slice(1).findLast((link) => typeof link.code === 'string') ?? {};
  return typeof code === 'string' ? ` (${code})` : '';
}
