import { realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { concatMap, connect, defer, filter, map, merge, reduce, type Observable } from 'rxjs';
import * as z from 'zod';
import { tool, toolErrorVisibleToLlm, type Tool } from '../../index.ts';
import { countText } from './count-text.ts';
import { entriesOf, filesAt, noFiles, sum, type FileCount } from './files-at.ts';

/** What the model is told of a folder. */
interface FolderCount extends FileCount {
  readonly folder: string;
  readonly total: string;
}

/**
 * How many files a folder of the project holds, and how large they are. It tells each folder in it when that is counted.
 *
 *     src      --c|
 *     test        --c|
 *     execute  --p---p(R|)     R: the result
 */
export function projectFiles(project: string): Tool {
  return tool({
    name: 'project_files',
    description: 'Counts the files in a folder of this project, with all folders below it, and adds up their sizes.',
    parameters: z.object({
      folder: z.string().default('.').describe('Seen from the top of the project, such as src; . is all of it'),
    }),
    execute: ({ folder }) => defer(() => folderIn(project, folder)).pipe(concatMap((path) => counted(path, folder))),
  });
}

function counted(path: string, folder: string): Observable<string | FolderCount> {
  return entriesOf(path).pipe(
    concatMap((entry) => filesAt(join(path, entry.name)).pipe(map((count) => ({ entry, count })))),
    connect((part$) =>
      merge(
        part$.pipe(
          filter(({ entry }) => entry.isDirectory()),
          map(({ entry, count }) => `${entry.name}: ${countText(count)}`),
        ),
        part$.pipe(
          reduce((total, { count }) => sum(total, count), noFiles),
          map((total) => ({ folder, total: countText(total), ...total })),
        ),
      ),
    ),
  );
}

/** The folder's real path; one that lies outside of the project, be it through a link, is not for the model to see. */
async function folderIn(project: string, folder: string): Promise<string> {
  const top = await realpath(project);
  const path = await realpath(resolve(top, folder)).catch(() => undefined);
  const isInside = path === top || path?.startsWith(top + sep);
  if (path !== undefined && isInside && (await stat(path)).isDirectory()) return path;
  throw toolErrorVisibleToLlm(`There is no folder ${folder} in this project.`);
}
