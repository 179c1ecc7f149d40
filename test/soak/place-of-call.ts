import type { Client } from './fault-server.ts';
import { repeatedId } from './model-turn.ts';
import { isJsonObject } from './server-sides/is-json-object.ts';
import { isSameCall } from './work-text.ts';

/** A call as a tool gets it. */
interface Received {
  readonly id: string;
  readonly name: string;
  readonly n: number | undefined;
}

/** APIs whose arguments are objects: what is none, their servers send as an empty one. */
const objectPaths = /:streamGenerateContent|^api\/chat$/;

/**
 * Where the server has written the call that has reached a tool: the later, the greater. `undefined`: it has written none with this
 * name, id and argument, or those that it has written have run already.
 */
export function placeOfCall({ served }: Client, { id, name, n }: Received, taken: ReadonlySet<number>): number | undefined {
  const fitting = served.flatMap(({ path, turn: { calls } }, turn) =>
    calls.flatMap((call, index) => {
      const isEmptied = objectPaths.test(path) && !isJsonObject(call.arguments.join(''));
      // What others have taken by now is replaced by an id of the library's own.
      const fits =
        call.name === name &&
        (call.id === undefined || call.id === repeatedId || isSameCall(call.id, id)) &&
        n === (isEmptied ? undefined : call.n);
      return fits ? [{ place: turn * 1000 + index, hasItsId: call.id === id }] : [];
    }),
  );
  const free = fitting.filter(({ place }) => !taken.has(place));
  // One before it that is like it need not have run.
  return (free.find(({ hasItsId }) => hasItsId) ?? free[0])?.place;
}
