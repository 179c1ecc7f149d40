import type { CallToolResult, Progress } from '@modelcontextprotocol/client';
import { Observable } from 'rxjs';
import { longestTimer } from '../chat/longest-timer.ts';
import type { Connection } from './connection.ts';

/** One call over a connection: emits its result. Unsubscribing tells the server to stop. Time limits stand around it. */
export function called(
  { client, progress }: Connection,
  name: string,
  args: Readonly<Record<string, unknown>>,
  onProgress: (progress: Progress) => void,
): Observable<CallToolResult> {
  return new Observable((subscriber) => {
    const controller = new AbortController();
    const { token, close } = progress(onProgress);
    subscriber.add(() => {
      close();
      controller.abort('the call was cancelled');
    });
    const params = { name, arguments: { ...args }, _meta: { progressToken: token } };
    client.callTool(params, { signal: controller.signal, timeout: longestTimer }).then(
      (result) => {
        subscriber.next(result);
        subscriber.complete();
      },
      (error: unknown) => subscriber.error(error),
    );
  });
}
