import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { peers } from '../subjects.mjs';

const root = new URL('../../../', import.meta.url);

function bytesIn(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) bytes += bytesIn(new URL(`${entry.name}/`, folder));
    else if (entry.isFile()) bytes += statSync(new URL(entry.name, folder)).size;
  }
  return bytes;
}

/** Packages of the project with all that they depend on. */
function closureOf(names, found = new Set()) {
  for (const name of names) {
    if (found.has(name)) continue;
    found.add(name);
    const { dependencies = {} } = JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, root), 'utf8'));
    closureOf(Object.keys(dependencies), found);
  }
  return [...found];
}

const sizeOf = (names) => ({
  packages: names.length,
  megabytes: names.reduce((bytes, name) => bytes + bytesIn(new URL(`node_modules/${name}/`, root)), 0) / 1e6,
});

/** The package as it would be published, with its dependency and its two peers. */
async function ours() {
  const command = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { stdout } = await promisify(execFile)('npm', command, { cwd: fileURLToPath(root) });
  const [{ unpackedSize }] = JSON.parse(stdout);
  const others = sizeOf(closureOf(['eventsource-parser', 'rxjs', 'zod']));
  return { packages: others.packages + 1, megabytes: others.megabytes + unpackedSize / 1e6 };
}

function peer(name) {
  const folder = new URL(`../peers/${name}/node_modules/`, import.meta.url);
  const { packages } = JSON.parse(readFileSync(new URL('.package-lock.json', folder), 'utf8'));
  return { packages: Object.keys(packages).length, megabytes: bytesIn(folder) / 1e6 };
}

/** What `npm install` puts on the disk: the library, what it needs, and zod. */
export const install = {
  rows: [
    { key: 'megabytes', title: 'installed, with all that it needs', unit: 'MB', isAbsolute: true },
    { key: 'packages', title: '… packages', unit: '', isAbsolute: true },
  ],
  sampleOf: (name) => (peers.includes(name) ? peer(name) : name === 'ours' ? ours() : sizeOf(closureOf(['eventsource-parser']))),
};
