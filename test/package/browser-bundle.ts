import { fileURLToPath } from 'node:url';
import { build, type Rollup } from 'vite';

/** Bundles code for browsers by the sources of the package, as an application's bundler would. */
export async function browserBundle(code: string, external: readonly string[] = []): Promise<Rollup.OutputChunk> {
  const source = (path: string) => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));
  const entry = '\0entry';
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        enforce: 'pre',
        resolveId: (id) => (id.endsWith('virtual-entry') ? entry : undefined),
        load: (id) => (id === entry ? code : undefined),
      },
    ],
    resolve: {
      alias: [
        { find: /^toolstream$/, replacement: source('index.ts') },
        {
          find: /^toolstream\/(testing|timeline|angular|angular\/testing|mcp|ag-ui|ui-message-stream|otel)$/,
          replacement: source('$1/index.ts'),
        },
        { find: /^toolstream\/(\w+)$/, replacement: source('provider/$1/index.ts') },
      ],
    },
    build: {
      write: false,
      minify: false,
      lib: { entry: 'virtual-entry', formats: ['es'], fileName: 'bundle' },
      rollupOptions: { external: [...external] },
    },
  });
  const [{ output }] = built as [Rollup.RollupOutput];
  return output[0];
}
