// What it costs to load the library: in Node by time, in browsers by bytes.
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

const run = promisify(execFile);
const root = new URL('../../', import.meta.url);

/** In a new process: the peers first, then the library; all in ms. */
const importProgram = `
  const start = performance.now();
  await import('rxjs');
  await import('zod');
  await import('zod/v4/core');
  const peers = performance.now();
  await import('./dist/index.js');
  console.log(JSON.stringify({ peers: peers - start, own: performance.now() - peers }));`;

async function importTimes() {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', importProgram], { cwd: root });
  return JSON.parse(stdout);
}

const smallest = `
  import { aiService, tool } from './dist/index.js';
  import { openAiChat } from './dist/openai.js';
  const clock = tool({ name: 'clock', execute: () => new Date().toISOString() });
  aiService({ model: openAiChat({ modelName: 'm', apiKey: 'k' }), tools: [clock] }).text('What time is it?').subscribe(console.log);`;

/** Minified, gzipped, in bytes. */
async function bundled(external, conditions) {
  // tsup has it, and this is all that we need it for.
  const { build } = createRequire(createRequire(import.meta.url).resolve('tsup'))('esbuild');
  const { outputFiles } = await build({
    stdin: { contents: smallest, resolveDir: root.pathname },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    external,
    conditions,
    legalComments: 'none',
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}

const zod = ['zod', 'zod/*'];

export const sizes = {
  samples: 9,
  rows: [
    { key: 'own', title: 'cold import of the root beyond rxjs and zod', unit: 'ms', budget: 15, isAbsolute: true },
    { key: 'peers', title: 'rxjs and zod themselves', unit: 'ms' },
    {
      key: 'bundle',
      title: 'smallest program for browsers, min+gzip, with RxJS, without zod',
      unit: 'kB',
      budget: 25,
      isAbsolute: true,
    },
    { key: 'modern', title: '… with the ES2015 files of RxJS, as Angular bundles it', unit: 'kB' },
    { key: 'rxjs', title: '… of which RxJS', unit: 'kB' },
    { key: 'zod', title: '… with zod', unit: 'kB' },
  ],
  async samplesOf() {
    const bundle = await bundled(zod);
    const without = await bundled([...zod, 'rxjs']);
    const modern = await bundled(zod, ['es2015']);
    const kilobytes = {
      bundle: bundle / 1000,
      modern: modern / 1000,
      rxjs: (bundle - without) / 1000,
      zod: (await bundled([])) / 1000,
    };
    // The first fills the page cache.
    await importTimes();
    const pairs = [];
    for (let time = 0; time < this.samples; time++) pairs.push({ ours: { ...kilobytes, ...(await importTimes()) } });
    return pairs;
  },
};
