import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadChapters } from './chapters.ts';
import { galleryOf } from './gallery.ts';
import { outdatedFiles } from './outdated-files.ts';

const folder = fileURLToPath(new URL('../../marbles/', import.meta.url));
const gallery = galleryOf(await loadChapters());
const outdated = outdatedFiles(folder, gallery);

if (process.argv.includes('--check')) {
  if (outdated.length > 0) {
    console.error(`Not up to date in marbles/: ${outdated.join(', ')}. Run: npm run marbles`);
    process.exitCode = 1;
  }
} else {
  for (const name of outdated) {
    const text = gallery.get(name);
    if (text === undefined) rmSync(folder + name);
    else writeFileSync(folder + name, text);
  }
  console.log(`${gallery.size} files in marbles/, ${outdated.length} of them new or changed.`);
}
