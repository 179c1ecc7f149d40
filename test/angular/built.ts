import { join } from 'node:path';
import { repository, workspace } from './folders.ts';
import { ng } from './ng.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { packed } from './packed.ts';
import { upToDate } from './up-to-date.ts';

const lock = join(workspace, 'node_modules/.lock');

/** The package as the app imports it. */
export function builtPackage(): Promise<void> {
  return oneAtATime(lock, packed);
}

/** The folder of the app as it is served: what it was built from before is not built again. */
export function builtApp(): Promise<string> {
  const folder = join(workspace, 'dist');
  const sources = ['app', 'angular.json', 'tsconfig.json', 'tsconfig.app.json'].map((path) => join(workspace, path));
  return oneAtATime(lock, async () => {
    await packed();
    const used = [...sources, join(repository, 'package-lock.json'), join(workspace, 'node_modules/toolstream/dist')];
    await upToDate(folder, used, async () => void (await ng('build')));
    return folder;
  });
}
