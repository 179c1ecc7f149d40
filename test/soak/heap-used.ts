import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes that are in use and not garbage. */
export function heapUsed(): number {
  // Twice: weak references and finalizers need a second round.
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
