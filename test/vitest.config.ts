import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, mergeConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { browserProjects } from './browser/browser-projects.ts';
import { chromium } from './browser/chromium.ts';
import { testPlaces } from './browser/test-places.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const places = testPlaces(root);
if (chromium === undefined)
  console.info('The tests in a browser are skipped: there is no Chromium in its usual places, nor does CHROMIUM_PATH name one.');

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

/** What all projects have. They do not extend the file: each would run it once more. */
const shared = {
  root,
  resolve: {
    // For the README's snippets, which import the package by its name.
    alias: [
      { find: /^toolstream$/, replacement: source('index.ts') },
      {
        find: /^toolstream\/(testing|timeline|angular|angular\/testing|mcp|ag-ui|ui-message-stream|otel)$/,
        replacement: source('$1/index.ts'),
      },
      { find: /^toolstream\/(\w+)$/, replacement: source('provider/$1/index.ts') },
    ],
  },
  test: { testTimeout: 60_000 },
} satisfies TestProjectInlineConfiguration;

const node: TestProjectInlineConfiguration = {
  test: {
    name: 'node',
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...places.browserOnly],
  },
};

const projects = [node, ...(chromium === undefined ? [] : browserProjects(chromium, places))];

export default defineConfig({
  test: { projects: projects.map((project) => mergeConfig(shared, project)) },
});
