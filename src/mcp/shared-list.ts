import type { Tool as McpTool } from '@modelcontextprotocol/client';
import { Observable, defer, of } from 'rxjs';
import { longestTimer } from '../chat/longest-timer.ts';
import type { Connection } from './connection.ts';

interface Listed {
  readonly connection: Connection;
  readonly version: number;
  readonly tools: readonly McpTool[];
}

/**
 * The list of tools of a connection, which is asked for when it may have changed. As long as it is the same it is the same array, so
 * that a model can keep what it made of it.
 *
 * @param limit - How long a page of the list may take, in ms.
 */
export function sharedList(limit: number): (connection: Connection) => Observable<readonly McpTool[]> {
  let listed: Listed | undefined;
  return (connection) =>
    defer(() => {
      const { version, isWatched } = connection.tools;
      if (isWatched && listed?.connection === connection && listed.version === version) return of(listed.tools);
      return new Observable<readonly McpTool[]>((subscriber) => {
        const controller = new AbortController();
        subscriber.add(() => controller.abort('nobody waits for the list'));
        connection.client
          .listTools(undefined, { signal: controller.signal, timeout: Math.min(limit, longestTimer) })
          .then(({ tools }) => {
            const isSame = listed !== undefined && JSON.stringify(listed.tools) === JSON.stringify(tools);
            listed = { connection, version, tools: isSame ? listed!.tools : tools };
            subscriber.next(listed.tools);
            subscriber.complete();
          })
          // Behind it all: what fails here must not leave one waiting.
          .catch((error: unknown) => subscriber.error(error));
      });
    });
}
