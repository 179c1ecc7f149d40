import type { FileCount } from './files-at.ts';

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** A count as people write it: 1,204 files, 3.4 MB. */
export function countText({ files, bytes }: FileCount): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const size = (bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1);
  return `${files.toLocaleString('en')} ${files === 1 ? 'file' : 'files'}, ${size} ${units[power]}`;
}
