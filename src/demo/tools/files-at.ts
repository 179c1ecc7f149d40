import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EMPTY, catchError, concatMap, defer, of, reduce, type Observable } from 'rxjs';

/** So many files, and their size in bytes. */
export interface FileCount {
  readonly files: number;
  readonly bytes: number;
}

export const noFiles: FileCount = { files: 0, bytes: 0 };

/** Counts a file as one, and a folder as all that are in it and below. Links are not followed. */
export function filesAt(path: string): Observable<FileCount> {
  return statsAt(path).pipe(reduce((total, { size }) => sum(total, { files: 1, bytes: size }), noFiles));
}

export function sum(one: FileCount, other: FileCount): FileCount {
  return { files: one.files + other.files, bytes: one.bytes + other.bytes };
}

function statsAt(path: string): Observable<Stats> {
  return unlessGone(() => lstat(path)).pipe(
    concatMap((stats) => {
      if (stats.isFile()) return of(stats);
      return stats.isDirectory() ? entriesOf(path).pipe(concatMap(({ name }) => statsAt(join(path, name)))) : EMPTY;
    }),
  );
}

/** What is in a folder, by name. */
export function entriesOf(folder: string): Observable<Dirent> {
  return unlessGone(() => readdir(folder, { withFileTypes: true })).pipe(
    concatMap((entries) => entries.sort((one, other) => (one.name < other.name ? -1 : 1))),
  );
}

/** What was deleted while we were on our way to it does not count. */
function unlessGone<T>(read: () => Promise<T>): Observable<T> {
  return defer(read).pipe(
    catchError((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return EMPTY;
      throw error;
    }),
  );
}
