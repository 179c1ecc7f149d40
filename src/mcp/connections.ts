import { Observable, Subject, catchError, defer, from, merge, switchMap, take, throwError } from 'rxjs';
import type { Connection } from './connection.ts';

export interface Connections {
  /**
   * Works with the connection, which is opened if there is none. Where the server does not know the session any more, it is opened
   * anew and the work is done once more: the server has refused it, so it has not run. The work emits once.
   */
  use<T>(work: (connection: Connection) => Observable<T>): Observable<T>;
  /** Errors what runs, and frees what is held. */
  close(): Promise<void>;
}

/**
 * The one connection of a client, shared by all who use it at the same time. What could not be opened is tried again by the next who
 * asks; after a server that did not answer in time, the same error is told for as long as that took.
 *
 * @param open - Rejects with the error that users get.
 */
export function connections(
  open: (signal: AbortSignal, onEnd: (connection: Connection) => void) => Promise<Connection>,
  failed: (error: unknown) => Error,
  closedError: () => Error,
): Connections {
  let current: Promise<Connection> | undefined;
  let closing: Promise<void> | undefined;
  const controller = new AbortController();
  const closed$ = new Subject<never>();

  const forget = (opening: Promise<Connection>) => {
    if (current === opening) current = undefined;
  };
  const connected = (): Promise<Connection> => {
    if (current) return current;
    const opening: Promise<Connection> = open(controller.signal, () => forget(opening));
    opening.catch(() => forget(opening));
    return (current = opening);
  };
  const attempt = <T>(work: (connection: Connection) => Observable<T>, mayRenew: boolean): Observable<T> =>
    defer(() => {
      const opening = connected();
      return from(opening).pipe(
        switchMap((connection) =>
          held(connection, work).pipe(
            catchError((error: unknown) => {
              if (!mayRenew || !connection.isSessionGone(error)) return throwError(() => failed(error));
              forget(opening);
              connection.retire();
              return attempt(work, false);
            }),
          ),
        ),
      );
    });
  return {
    use: (work) =>
      defer(() => {
        if (closing) return throwError(() => closedError());
        return merge(closed$, attempt(work, true)).pipe(take(1));
      }),
    close: () =>
      (closing ??= (async () => {
        closed$.error(closedError());
        controller.abort();
        const connection = await current?.catch(() => undefined);
        await connection?.close();
      })()),
  };
}

function held<T>(connection: Connection, work: (connection: Connection) => Observable<T>): Observable<T> {
  return new Observable((subscriber) => {
    subscriber.add(connection.hold());
    return work(connection).subscribe(subscriber);
  });
}
