import type { AuthProvider, Implementation, OAuthClientProvider, Transport } from '@modelcontextprotocol/client';
import { asyncScheduler, type SchedulerLike } from 'rxjs';
import { ConfigurationError } from '../chat/configuration-error.ts';
import {
  checkDuration,
  checkFunction,
  checkHeaders,
  checkKnownOptions,
  checkMethods,
  checkText,
  invalidOption,
} from '../chat/option-checks.ts';
import type { Value } from '../chat/value.ts';
import type { Logger } from '../tool/types.ts';
import type { Elicit } from './elicitation.ts';

/** A program that is started, and talked to over its input and output: Node only. */
export interface McpCommand {
  readonly command: string;
  readonly args?: readonly string[];
  /** Beside what a program needs to run at all, such as `PATH`: nothing else of the environment is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  /** Where what it writes to its error output goes: to ours, `inherit`, by default. */
  readonly stderr?: 'inherit' | 'ignore' | undefined;
}

/** A server that is reached over Streamable HTTP. */
export interface McpUrl {
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Of the SDK: OAuth, or a token that is asked for before each request. */
  readonly authProvider?: AuthProvider | OAuthClientProvider | undefined;
  readonly fetch?: ((url: string | URL, init?: RequestInit) => Promise<Response>) | undefined;
}

/** How a server is reached; a function makes a transport of the SDK, a new one each time. */
export type McpTransport = McpCommand | McpUrl | (() => Value<Transport>);

export interface McpClientOptions {
  readonly transport: McpTransport;
  /** What errors and warnings call the server, and what goes before the name of a tool that another server has, too. By default its own. */
  readonly name?: string | undefined;
  /** Asked when a server wants to know something of the user. Without it servers are told that nobody can be asked. */
  readonly elicit?: Elicit | undefined;
  /** By default what is newest of what both speak; `legacy` is the handshake of 2025, `pin` one revision from 2026-07-28 on. */
  readonly versionNegotiation?: 'auto' | 'legacy' | { readonly pin: string } | undefined;
  /** What the server is told of us. */
  readonly clientInfo?: Implementation | undefined;
  /** All in ms. */
  readonly timeout?:
    | {
        /** To connect, and for each page of the list of tools: 30,000 by default. */
        readonly connect?: number | undefined;
        /** How long a call may tell nothing: 60,000 by default. Each progress begins it anew. */
        readonly idle?: number | undefined;
        /** How long a call may take in all: no limit by default. */
        readonly total?: number | undefined;
      }
    | undefined;
  /** Where time comes from: `asyncScheduler` by default. */
  readonly scheduler?: SchedulerLike | undefined;
  /** The console by default. */
  readonly logger?: Logger | undefined;
}

export interface McpClientSettings extends Pick<McpClientOptions, 'transport' | 'name' | 'elicit' | 'versionNegotiation'> {
  readonly clientInfo: Implementation;
  readonly timeout: { readonly connect: number; readonly idle: number; readonly total: number };
  readonly scheduler: SchedulerLike;
  readonly logger: Logger;
}

const where = 'mcpClient';
const known = ['transport', 'name', 'elicit', 'versionNegotiation', 'clientInfo', 'timeout', 'scheduler', 'logger'];

/** Options with their defaults; throws a `ConfigurationError` on those that can't work. */
export function mcpClientSettings(options: McpClientOptions): McpClientSettings {
  checkKnownOptions(where, options, known);
  const { name, elicit, versionNegotiation, timeout = {} } = options;
  checkTransport(options.transport);
  if (name !== undefined) checkText(where, 'name', name);
  checkFunction(where, 'elicit', elicit);
  if (versionNegotiation !== undefined && versionNegotiation !== 'auto' && versionNegotiation !== 'legacy')
    checkText(where, 'versionNegotiation.pin', (versionNegotiation as { pin?: unknown } | null)?.pin);
  checkKnownOptions(`${where}: timeout`, timeout, ['connect', 'idle', 'total']);
  for (const limit of ['connect', 'idle', 'total'] as const) checkDuration(where, `timeout.${limit}`, timeout[limit]);
  checkMethods(where, 'scheduler', options.scheduler, ['now', 'schedule']);
  checkMethods(where, 'logger', options.logger, ['warn', 'error', 'debug']);
  const { connect = 30_000, idle = 60_000, total = Infinity } = timeout;
  const { clientInfo = { name: 'toolstream', version: '1' }, scheduler = asyncScheduler, logger = console } = options;
  return { ...options, clientInfo, timeout: { connect, idle, total }, scheduler, logger };
}

function checkTransport(transport: unknown): void {
  if (typeof transport === 'function') return;
  if (typeof transport === 'object' && transport !== null && 'command' in transport) {
    checkKnownOptions(`${where}: transport`, transport, ['command', 'args', 'env', 'cwd', 'stderr']);
    checkText(where, 'transport.command', transport.command);
    return checkWords(transport as McpCommand);
  }
  if (typeof transport === 'object' && transport !== null && 'url' in transport) {
    checkKnownOptions(`${where}: transport`, transport, ['url', 'headers', 'authProvider', 'fetch']);
    checkFunction(where, 'transport.fetch', (transport as McpUrl).fetch);
    checkHeaders(where, 'transport.headers', (transport as McpUrl).headers);
    // Addresses are not shown: they hold tokens.
    if (isHttp(transport.url)) return checkNoUser(new URL(transport.url as string | URL));
    throw new ConfigurationError(`${where}: transport.url is no address of a server; it must begin with http:// or https://.`);
  }
  throw invalidOption(
    where,
    'transport',
    transport,
    'it must be { command, … }, { url, … } or a function that makes a transport',
  );
}

function checkWords({ args = [], env = {} }: McpCommand): void {
  const isText = (word: unknown) => typeof word === 'string';
  // Of these, as of those below, values are not shown: they may be secrets.
  if (!Array.isArray(args) || !args.every(isText))
    throw invalidOption(
      where,
      'transport.args',
      Array.isArray(args) ? args.map((word) => typeof word) : typeof args,
      'it must be an array of texts',
    );
  if (typeof env !== 'object' || env === null || !Object.values(env).every(isText))
    throw new ConfigurationError(`${where}: transport.env must be an object whose values are texts.`);
}

/** Errors of `fetch` quote an address, password and all, and browsers refuse it. */
function checkNoUser({ username, password }: URL): void {
  if (!username && !password) return;
  throw new ConfigurationError(
    `${where}: transport.url must hold no user and no password; pass them by transport.headers: { authorization: 'Basic …' }.`,
  );
}

function isHttp(url: unknown): boolean {
  try {
    return /^https?:$/.test(new URL(url as string | URL).protocol);
  } catch {
    return false;
  }
}
