import type { Client, Transport } from '@modelcontextprotocol/client';
import { Subject, firstValueFrom, from, fromEvent, merge, mergeMap, take, throwError, timer } from 'rxjs';
import { longestTimer } from '../chat/longest-timer.ts';
import { quietly } from '../tool/quietly.ts';
import { answerElicitations, type ElicitationScope } from './elicitation.ts';
import type { McpClientSettings } from './mcp-client-options.ts';
import { mendMessage } from './mend-message.ts';
import { loadSdk, openTransport, type Sdk } from './open-transport.ts';
import { progressChannel, type ProgressChannel } from './progress-channel.ts';
import { watchTools } from './watch-tools.ts';

/** One connection to a server, from its handshake to its end. It is never opened again: there is another one then. */
export interface Connection {
  readonly client: Client;
  /** What is known of the list of tools: it may have changed when `version` has, and anyhow while nobody tells. */
  readonly tools: { readonly version: number; readonly isWatched: boolean };
  readonly progress: ProgressChannel;
  /** Whether an error tells that the server does not know the session any more, so that it has run nothing. */
  isSessionGone(error: unknown): boolean;
  /** Notes a call that waits for its answer, until what is returned is called. */
  hold(): () => void;
  /** Closes it when no call waits any more. */
  retire(): void;
  /** Tells the server of the end where it keeps a session, and frees what is held. Never rejects. */
  close(): Promise<void>;
}

export interface ConnectionScope {
  readonly settings: McpClientSettings;
  readonly serverName: () => string;
  readonly elicitation: ElicitationScope | undefined;
  /** Ends the connecting. */
  readonly signal: AbortSignal;
  readonly onEnd: (connection: Connection) => void;
}

/** How long a server may take to show that it is still there, or to take notice of our leaving, in ms. */
const shortly = 3_000;

/** Rejects when the server can't be reached in time; nothing is left behind then. */
export async function connect(scope: ConnectionScope): Promise<Connection> {
  const { settings, signal, serverName, elicitation, onEnd } = scope;
  const { timeout, scheduler, logger, clientInfo } = settings;
  const sdk = await loadSdk();
  const transport = await openTransport(sdk, settings.transport);
  transport.onmessage = (message) =>
    mendMessage(message, (problem) => quietly(() => logger.warn(`mcp server ${serverName()}: ${problem}.`)));
  const client = new sdk.Client(clientInfo, {
    capabilities: elicitation ? { elicitation: { form: {}, url: {} } } : {},
    versionNegotiation: negotiation(settings),
    listMaxPages: 1_000,
  });
  if (elicitation) answerElicitations(client, elicitation);
  const late$ = timer(Math.min(timeout.connect, longestTimer), scheduler).pipe(
    mergeMap(() => throwError(() => new Error(`there was no answer within ${timeout.connect} ms`))),
  );
  const aborted$ = fromEvent(signal, 'abort').pipe(mergeMap(() => throwError(() => new Error('the client was closed'))));
  try {
    if (signal.aborted) throw new Error('the client was closed');
    await firstValueFrom(merge(late$, aborted$, from(client.connect(transport, { timeout: longestTimer }))).pipe(take(1)), {
      defaultValue: undefined,
    });
  } catch (error) {
    await closeQuietly(client, transport);
    throw error;
  }
  return established(sdk, client, transport, !isProgram(settings), onEnd);
}

/** Old servers do not answer what they do not know: a program is asked for a short time only whether it is new. */
function negotiation(settings: McpClientSettings) {
  const { versionNegotiation = 'auto', timeout } = settings;
  return {
    mode: versionNegotiation,
    probe: { timeoutMs: isProgram(settings) ? Math.min(5_000, timeout.connect / 2) : longestTimer },
  };
}

function isProgram({ transport }: McpClientSettings): boolean {
  return typeof transport !== 'function' && 'command' in transport;
}

function established(
  { SdkError, SdkErrorCode, SdkHttpError }: Sdk,
  client: Client,
  transport: Transport,
  canBreak: boolean,
  onEnd: (connection: Connection) => void,
): Connection {
  const troubled$ = new Subject<void>();
  const tools = watchTools(client, troubled$);
  let held = 0;
  let isRetired = false;
  let closing: Promise<void> | undefined;
  let isAsking = false;

  const end = () => void client.close().catch(() => undefined);
  /** A stream that broke tells nobody which call waits for it. Where the server is gone, all do in vain. */
  const ask = () => {
    if (isAsking || held === 0 || closing) return;
    isAsking = true;
    const isModern = client.getProtocolEra() === 'modern';
    const answer = isModern ? client.discover({ timeout: shortly }) : client.ping({ timeout: shortly });
    void answer.then(
      () => (isAsking = false),
      (error: unknown) => {
        isAsking = false;
        // Who is only slow may be at work on a call: that has a time limit of its own.
        const isSlow = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
        if (isSlow) return;
        // Calls that are refused for the same reason hear so themselves, and are sent once more. Those that it has forgotten hear nothing.
        if (connection.isSessionGone(error)) setTimeout(end, shortly);
        else end();
      },
    );
  };
  const connection: Connection = {
    client,
    tools,
    progress: progressChannel(client),
    isSessionGone(error) {
      // An error of the protocol is an answer, whatever it holds: what was asked for may have run.
      if (transport.sessionId === undefined || !(error instanceof SdkHttpError)) return false;
      const { status, text } = error.data as { status?: unknown; text?: unknown };
      // 404 by the specification; the server that shows all features, and what was built after it, says 400.
      return status === 404 || (status === 400 && typeof text === 'string' && /session/i.test(text));
    },
    hold() {
      held++;
      let isHeld = true;
      return () => {
        if (isHeld) held--;
        isHeld = false;
        if (isRetired && held === 0) void connection.close();
      };
    },
    retire() {
      isRetired = true;
      if (held === 0) void connection.close();
    },
    close: () => (closing ??= leave(client, transport)),
  };
  client.onerror = () => {
    troubled$.next();
    // A program's pipe tells its end itself; what it writes beside the protocol means nothing.
    if (canBreak) ask();
  };
  client.onclose = () => onEnd(connection);
  return connection;
}

async function leave(client: Client, transport: Transport): Promise<void> {
  const { terminateSession } = transport as { terminateSession?: () => Promise<void> };
  if (transport.sessionId !== undefined && terminateSession) {
    const told = terminateSession.call(transport).catch(() => undefined);
    let clock: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([told, new Promise((resolve) => (clock = setTimeout(resolve, shortly)))]);
    clearTimeout(clock);
  }
  await closeQuietly(client, transport);
}

async function closeQuietly(client: Client, transport: Transport): Promise<void> {
  await client.close().catch(() => undefined);
  await transport.close().catch(() => undefined);
}
