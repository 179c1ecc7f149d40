import { catchError, type MonoTypeOperatorFunction } from 'rxjs';
import { jsonText } from '../chat/json-safe.ts';
import { memoryName } from '../memory/memory-name.ts';
import { isError } from '../tool/tool-errors.ts';
import type { CompensationReason } from '../tool/types.ts';
import type { Run } from './run.ts';

/** Notes what is to blame when the source fails: those whose work is undone are told. */
export function failingBy<T>({ gathered, memory }: Run, reason: CompensationReason): MonoTypeOperatorFunction<T> {
  return catchError((error: unknown) => {
    gathered.failedBy = reason;
    if (reason !== 'memory' || isError(error)) throw error;
    // What is no Error does not tell where it comes from.
    throw new Error(`${memoryName(memory!)} failed with ${jsonText(error)}`, { cause: error });
  });
}
