import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Options } from 'tsup';
import { repository, workspace } from './folders.ts';
import { upToDate } from './up-to-date.ts';

const target = join(workspace, 'node_modules/toolstream');

/** Puts the package where the app's imports find it, as a user gets it: its built modules, types and exports map. */
export function packed(): Promise<void> {
  const manifest = join(repository, 'package.json');
  return upToDate(target, [join(repository, 'src'), manifest], async () => {
    const { tsup } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly tsup: Options };
    rmSync(target, { recursive: true, force: true });
    // The types are checked elsewhere; here only what is written of them counts.
    const dts = { compilerOptions: { noCheck: true } };
    await build({ ...tsup, format: ['esm'], dts, config: false, silent: true, outDir: join(target, 'dist') });
    mkdirSync(target, { recursive: true });
    copyFileSync(manifest, join(target, 'package.json'));
  });
}
