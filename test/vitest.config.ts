import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    // For the README's snippets, which import the package by its name.
    alias: [
      { find: /^toolstream$/, replacement: source('index.ts') },
      { find: /^toolstream\/(testing|timeline|angular|angular\/testing)$/, replacement: source('$1/index.ts') },
      { find: /^toolstream\/(\w+)$/, replacement: source('provider/$1/index.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
  },
});
