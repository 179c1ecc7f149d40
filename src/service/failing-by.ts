import { catchError, type MonoTypeOperatorFunction } from 'rxjs';
import type { CompensationReason } from '../tool/types.ts';
import type { Run } from './run.ts';

/** Notes what is to blame when the source fails: those whose work is undone are told. */
export function failingBy<T>({ gathered }: Run, reason: CompensationReason): MonoTypeOperatorFunction<T> {
  return catchError((error: unknown) => {
    gathered.failedBy = reason;
    throw error;
  });
}
