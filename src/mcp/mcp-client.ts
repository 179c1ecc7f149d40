import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/client';
import { BehaviorSubject, Observable, Subject, defer, distinctUntilChanged, filter, map, tap } from 'rxjs';
import { ConfigurationError } from '../chat/configuration-error.ts';
import { ToolTimeoutError } from '../tool/tool-errors.ts';
import type { ToolContext } from '../tool/types.ts';
import { called } from './called.ts';
import { connect } from './connect.ts';
import type { Connection } from './connection.ts';
import { connections } from './connections.ts';
import { mcpClientSettings, type McpClientOptions, type McpTransport } from './mcp-client-options.ts';
import { sharedList } from './shared-list.ts';
import { toldError } from './told-error.ts';
import { withTimeLimits } from './with-time-limits.ts';

/** A server of tools. It is connected to when it is first asked for something, and again when the connection was lost. */
export interface McpClient {
  /** What it is called: by the options, or as it calls itself once it has been connected to. */
  readonly name: string;
  /** Its tools, all pages: emits once. The same array as long as they are the same; an array that was handed out never changes. */
  tools(): Observable<readonly McpTool[]>;
  /** Calls a tool once: emits its result. Unsubscribing cancels the call; what it tells of its progress goes to `context.progress`. */
  callTool(name: string, args: Readonly<Record<string, unknown>>, context: ToolContext): Observable<CallToolResult>;
  /** Errors the calls that run, ends the connection, and a program that was started. It is not opened again. Never rejects. */
  close(): Promise<void>;
}

/**
 * A server of tools, for `mcpToolProvider`. Nothing runs before its tools are asked for; call `close()` in the end, or it keeps the
 * process from ending.
 *
 * Throws a `ConfigurationError` on options that can't work.
 *
 * @example
 * const files = mcpClient({ transport: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] } });
 * const search = mcpClient({ name: 'search', transport: { url: 'https://example.org/mcp', headers: { authorization } } });
 */
export function mcpClient(options: McpClientOptions): McpClient {
  const settings = mcpClientSettings(options);
  const { elicit, logger, scheduler, timeout, transport } = settings;
  let ownName = nameOf(transport);
  const serverName = () => settings.name ?? ownName;
  const told = toldError(settings, serverName);
  /** The calls that run, for those who are asked by one of them. */
  const running = new Set<ToolContext>();
  const ended$ = new Subject<void>();
  /** Each with the calls that ran when the server asked: it is one of them that asks, and later ones do not wait with it. */
  const questions$ = new BehaviorSubject<readonly (readonly ToolContext[])[]>([]);
  const isPaused = (context: ToolContext) =>
    questions$.pipe(
      map((questions) => questions.some((calls) => calls.includes(context))),
      distinctUntilChanged(),
    );
  const elicitation = elicit && {
    elicit,
    logger,
    abandoned: (calls: readonly ToolContext[]) => ended$.pipe(filter(() => !calls.some((call) => running.has(call)))),
    context: () => ({ server: serverName(), calls: [...running] }),
    asking: (calls: readonly ToolContext[]) => {
      questions$.next([...questions$.value, calls]);
      return () => questions$.next(questions$.value.filter((question) => question !== calls));
    },
  };

  /** A server that does not answer must not hold up every request to the model: for as long as that took it is not asked again. */
  let silent: { readonly until: number; readonly error: unknown } | undefined;
  const begun = (): number => {
    const begin = scheduler.now();
    if (silent && begin < silent.until) throw silent.error;
    return begin;
  };
  const noteSilence = (begin: number, error: unknown) => {
    const end = scheduler.now();
    if (end - begin >= timeout.connect) silent = { until: end + timeout.connect, error };
  };
  const open = async (signal: AbortSignal, onEnd: (connection: Connection) => void) => {
    const begin = begun();
    try {
      const connection = await connect({ settings, signal, serverName, elicitation, onEnd });
      ownName = connection.client.getServerVersion()?.name ?? ownName;
      return connection;
    } catch (thrown) {
      const error = thrown instanceof ConfigurationError ? thrown : told('it could not be connected to', thrown);
      noteSilence(begin, error);
      throw error;
    }
  };
  const failed = (error: unknown) => (error instanceof ToolTimeoutError ? error : told('the request failed', error));
  const { use, close } = connections(open, failed, () => new Error(`mcp server ${serverName()}: the client was closed.`));
  const list = sharedList(timeout.connect);

  return {
    get name() {
      return serverName();
    },
    tools: () =>
      defer(() => {
        const begin = begun();
        return use(list).pipe(tap({ error: (error: unknown) => noteSilence(begin, error) }));
      }),
    callTool: (name, args, context) =>
      new Observable((subscriber) => {
        const progress$ = new Subject<void>();
        running.add(context);
        subscriber.add(() => {
          running.delete(context);
          ended$.next();
        });
        const onProgress = (progress: unknown) => {
          progress$.next();
          context.progress(progress);
        };
        const limits = { ...timeout, isPaused$: isPaused(context), progress$, scheduler };
        return use((connection) => called(connection, name, args, onProgress).pipe(withTimeLimits(name, limits))).subscribe(
          subscriber,
        );
      }),
    close,
  };
}

/** Until the server has said its name. */
function nameOf(transport: McpTransport): string {
  if (typeof transport === 'function') return 'mcp';
  if ('url' in transport) return new URL(transport.url).host;
  const program = lastPart(transport.command);
  const isPackages = /^(npx|bunx|uvx)(\.(exe|cmd))?$/.test(program);
  if (!isPackages && !/^(node|tsx|bun|deno|uv|python3?)(\.exe)?$/.test(program)) return program;
  // What runs others says nothing. What is behind an option may be anything, its secret value too; that of these two is no word.
  const [first = '', second = ''] = transport.args ?? [];
  const word = isPackages && /^(-y|--yes)$/.test(first) ? second : first;
  const isName = /^(?!-)[\w@./\\-]+$/.test(word);
  return isName && (isPackages || /[/\\]|\.\w+$/.test(word)) ? lastPart(word) || program : program;
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).at(-1)!;
}
