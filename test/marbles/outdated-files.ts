import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** The files of a gallery that are missing in its folder or differ, and the drawings there that it does not have. */
export function outdatedFiles(folder: string, gallery: ReadonlyMap<string, string>): readonly string[] {
  const isUpToDate = (name: string, text: string) => existsSync(folder + name) && readFileSync(folder + name, 'utf8') === text;
  const outdated = [...gallery].filter(([name, text]) => !isUpToDate(name, text)).map(([name]) => name);
  const orphans = readdirSync(folder).filter((name) => name.endsWith('.svg') && !gallery.has(name));
  return [...outdated, ...orphans];
}
