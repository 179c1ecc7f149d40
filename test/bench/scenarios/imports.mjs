import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const root = new URL('../../../', import.meta.url);

/** In a new process: what others have anyway first, then the library; all in ms. */
const program = `
  const start = performance.now();
  await import('rxjs');
  await import('zod');
  await import('zod/v4/core');
  const peers = performance.now();
  await import('./dist/index.js');
  console.log(JSON.stringify({ peers: peers - start, own: performance.now() - peers }));`;

async function ownTimes() {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { cwd: root });
  return JSON.parse(stdout);
}

/** What loading costs in Node, cold but for the page cache, which the process that is thrown away has filled. */
export const imports = {
  samples: 9,
  throwsFirstAway: true,
  needsNewProcess: true,
  rows: [
    { key: 'all', title: 'cold import of all that a program with a tool needs', unit: 'ms' },
    { key: 'own', title: '… of which our root beyond rxjs and zod', unit: 'ms', budget: 15, isAbsolute: true },
    { key: 'peers', title: '… and rxjs and zod themselves', unit: 'ms', isAbsolute: true },
  ],
  begin:
    (_, { name, importTime }) =>
    async () => ({ all: importTime, ...(name === 'ours' && (await ownTimes())) }),
};
