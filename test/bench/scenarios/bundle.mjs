import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { urlOf } from '../invocations.mjs';
import { fileOf, peers } from '../subjects.mjs';
import { answer, script } from '../wire/script.mjs';

// tsup has it, and this is all that we need it for.
const { build } = createRequire(createRequire(import.meta.url).resolve('tsup'))('esbuild');

const what = script({ rounds: 1, tokens: 20 });

const program = (file, baseUrl) => `
  import { subject } from ${JSON.stringify(file)};
  const execute = async ({ i }) => 'result ' + ((i * 31) % 997);
  const jsonSchema = { type: 'object', properties: { i: { type: 'integer' }, pad: { type: 'string' } } };
  const ask = subject({
    baseUrl: ${JSON.stringify(baseUrl)},
    tools: [{ name: 'work', description: 'Does some work', jsonSchema, execute }],
  });
  let text = '';
  await ask((piece) => { text += piece; });
  console.log(text);`;

/**
 * What can't be found is left as an import: optional packages that are not installed, and Node's own modules. Nothing of the project's own
 * node_modules, in which a peer's folder stands, counts as found for it.
 */
const leaveUnknown = (folder) => ({
  name: 'leave-unknown',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === 'asked') return undefined;
      const found = await resolve(path, { ...from, pluginData: 'asked' });
      return found.errors.length || !found.path.startsWith(folder) ? { path, external: true } : undefined;
    });
  },
});

async function bundled(name, baseUrl, { external = [], conditions } = {}) {
  const folder = fileURLToPath(peers.includes(name) ? new URL('.', fileOf(name)) : new URL('../../../', import.meta.url));
  const { outputFiles, metafile } = await build({
    stdin: { contents: program(fileURLToPath(fileOf(name)), baseUrl), resolveDir: '/' },
    ...{
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      outfile: 'out.mjs',
      legalComments: 'none',
      logLevel: 'silent',
    },
    ...{ format: 'esm', platform: 'browser', target: 'es2022', external, conditions, plugins: [leaveUnknown(folder)] },
  });
  const [{ imports }] = Object.values(metafile.outputs);
  const [{ contents }] = outputFiles;
  return { contents, kilobytes: gzipSync(contents, { level: 9 }).length / 1000, imports: imports.map(({ path }) => path) };
}

/** It must do its work: in Node, whose `fetch` is that of browsers. */
async function run(contents) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  writeFileSync(join(folder, 'out.mjs'), contents);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'out.mjs')], { timeout: 20_000 });
    if (stdout !== `${answer(what)}\n`) throw new Error(`The answer of the bundle is wrong: "${stdout.slice(-30)}".`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const zod = ['zod', 'zod/*'];

async function sizesOf(name, origin) {
  const baseUrl = urlOf(origin, what);
  const whole = await bundled(name, baseUrl);
  await run(whole.contents);
  const bare = await bundled(name, baseUrl, { external: zod });
  const sizes = { whole: whole.kilobytes, bare: bare.kilobytes, builtins: bare.imports.filter(isBuiltin).length };
  if (name !== 'ours') return sizes;
  const withoutRxjs = await bundled(name, baseUrl, { external: [...zod, 'rxjs'] });
  const modern = await bundled(name, baseUrl, { external: zod, conditions: ['es2015'] });
  return { ...sizes, modern: modern.kilobytes, rxjs: bare.kilobytes - withoutRxjs.kilobytes };
}

/** A program with one tool, bundled for browsers. */
export const bundle = {
  rows: [
    { key: 'bare', title: 'a program with a tool for browsers, min+gzip, without zod', unit: 'kB', budget: 25, isAbsolute: true },
    { key: 'modern', title: '… with the ES2015 files of RxJS, as Angular bundles it', unit: 'kB', isAbsolute: true },
    { key: 'rxjs', title: '… of which RxJS', unit: 'kB', isAbsolute: true },
    { key: 'whole', title: '… with zod', unit: 'kB', isAbsolute: true },
    { key: 'builtins', title: '… modules of Node that it still asks for', unit: '', budget: 0, isAbsolute: true },
  ],
  sampleOf: (name, { origin }) => sizesOf(name, origin),
};
