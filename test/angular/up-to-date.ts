import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from './hash-of.ts';

const mark = '.built-from';

/** Builds into the folder, unless what is there was made of the same sources. */
export async function upToDate(folder: string, sources: readonly string[], build: () => Promise<void>): Promise<void> {
  const hash = hashOf(sources);
  if (hash === markIn(folder)) return;
  await build();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, mark), hash);
}

function markIn(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, mark), 'utf8');
  } catch {
    return undefined;
  }
}
