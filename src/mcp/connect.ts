import { firstValueFrom, from, fromEvent, merge, mergeMap, take, throwError, timer } from 'rxjs';
import { longestTimer } from '../chat/longest-timer.ts';
import { quietly } from '../tool/quietly.ts';
import { closeQuietly, established, type Connection } from './connection.ts';
import { answerElicitations, type ElicitationScope } from './elicitation.ts';
import type { McpClientSettings } from './mcp-client-options.ts';
import { mendMessage } from './mend-message.ts';
import { loadSdk, openTransport } from './open-transport.ts';

export interface ConnectionScope {
  readonly settings: McpClientSettings;
  readonly serverName: () => string;
  readonly elicitation: ElicitationScope | undefined;
  /** Ends the connecting. */
  readonly signal: AbortSignal;
  readonly onEnd: (connection: Connection) => void;
}

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
