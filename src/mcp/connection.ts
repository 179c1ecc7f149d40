import type { Client, Transport } from '@modelcontextprotocol/client';
import { Subject } from 'rxjs';
import type { Sdk } from './open-transport.ts';
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

/** How long a server may take to show that it is still there, or to take notice of our leaving, in ms. */
const shortly = 3_000;

/** What there is once the handshake has been. */
export function established(
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

export async function closeQuietly(client: Client, transport: Transport): Promise<void> {
  await client.close().catch(() => undefined);
  await transport.close().catch(() => undefined);
}
