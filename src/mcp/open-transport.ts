import type * as SdkModule from '@modelcontextprotocol/client';
import type * as StdioModule from '@modelcontextprotocol/client/stdio';
import { firstValueFrom } from 'rxjs';
import { ConfigurationError } from '../chat/configuration-error.ts';
import { invalidOption } from '../chat/option-checks.ts';
import { toObservable } from '../chat/value.ts';
import type { McpCommand, McpTransport, McpUrl } from './mcp-client-options.ts';

export type Sdk = typeof SdkModule;
type Transport = SdkModule.Transport;

/** The SDK, which is loaded when it is needed: it is an optional peer. Rejects with a `ConfigurationError` where it is not installed. */
export async function loadSdk(): Promise<Sdk> {
  try {
    return await import('@modelcontextprotocol/client');
  } catch (cause) {
    throw notThere('@modelcontextprotocol/client', cause);
  }
}

/** A transport that was not started yet. */
export async function openTransport(sdk: Sdk, transport: McpTransport): Promise<Transport> {
  if (typeof transport === 'function') {
    const opened = await firstValueFrom(toObservable(transport()), { defaultValue: undefined });
    if (typeof opened?.start === 'function') return opened;
    throw invalidOption('mcpClient', 'transport()', opened, 'it must be a transport of the SDK');
  }
  return 'command' in transport ? overStdio(transport) : overHttp(sdk, transport);
}

function overHttp(sdk: Sdk, { url, headers, authProvider, fetch }: McpUrl): Transport {
  return new sdk.StreamableHTTPClientTransport(new URL(url), {
    ...(headers && { requestInit: { headers: { ...headers } } }),
    ...(authProvider && { authProvider }),
    ...(fetch && { fetch }),
  });
}

async function overStdio({ args, env, ...command }: McpCommand): Promise<Transport> {
  // Not written where it is imported: a bundler for browsers would follow it to the builtins of Node.
  const specifier = '@modelcontextprotocol/client/stdio';
  const { StdioClientTransport } = await (
    import(/* @vite-ignore */ /* webpackIgnore: true */ specifier) as Promise<typeof StdioModule>
  ).catch((cause: unknown) => {
    throw notThere(specifier, cause);
  });
  return new StdioClientTransport({ ...command, ...(args && { args: [...args] }), ...(env && { env: { ...env } }) });
}

function notThere(specifier: string, cause: unknown): Error {
  return Object.assign(
    new ConfigurationError(
      `mcpClient: ${specifier} can't be loaded; install @modelcontextprotocol/client 2.4 or newer.${specifier.endsWith('stdio') ? ' A program is started in Node only.' : ''}`,
    ),
    { cause },
  );
}
