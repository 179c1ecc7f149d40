import type { Client } from '@modelcontextprotocol/client';
import type { Observable } from 'rxjs';

/**
 * Watches whether a server's tools change: by its notification, which servers of 2026-07-28 send to those who listen. A server that does
 * not say that it tells of changes has none, in 2025; later it says with each list how long that is good for, and the SDK minds it.
 *
 * @param troubled$ - Something went wrong: a notification may have been lost.
 */
export function watchTools(
  client: Client,
  troubled$: Observable<unknown>,
): { readonly version: number; readonly isWatched: boolean } {
  let version = 0;
  const isModern = client.getProtocolEra() === 'modern';
  let isWatched = !isModern;
  let isListening = false;
  let tells = isModern && client.getServerCapabilities()?.tools?.listChanged === true;
  const changed = () => void version++;
  client.setNotificationHandler('notifications/tools/list_changed', changed);
  // Not unsubscribed from: it ends with the connection.
  troubled$.subscribe({ next: changed, error: changed });

  const listen = async () => {
    isListening = true;
    try {
      const { closed } = await client.listen({ toolsListChanged: true });
      isWatched = true;
      // What was listed before may have changed since.
      changed();
      await closed;
    } catch {
      // Refused: nobody tells, so the list is asked for each time.
      tells = false;
    }
    isWatched = false;
    isListening = false;
  };
  if (tells) void listen();
  return {
    get version() {
      return version;
    },
    get isWatched() {
      // Whoever looks wants to know: a stream that broke is opened again.
      if (tells && !isListening && client.transport) void listen();
      return isWatched;
    },
  };
}
