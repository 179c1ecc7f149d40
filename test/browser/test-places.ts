import { readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { nodePackages, nodeTests } from './node-only.ts';
import { runTimeImports } from './run-time-imports.ts';

/** Where the test files run: all in a browser that can, and all on Node but for those that need a browser. */
export interface TestPlaces {
  /** In a browser, one after the other in the same page. */
  readonly onePage: readonly string[];
  /** In a browser, each in a page of its own: on Node they ask for a DOM. */
  readonly ownPage: readonly string[];
  /** Among those in a browser: the ones that import `vitest/browser`, and run nowhere else. */
  readonly browserOnly: readonly string[];
  /** What is imported that browsers have not, by file. */
  readonly nodeOnly: ReadonlyMap<string, string>;
  /** The packages that run in the browser. */
  readonly packages: readonly string[];
}

/**
 * @param root - The folder of the project; paths are told from there.
 * @param exceptions - What runs on Node only, whatever it imports, and why.
 */
export function testPlaces(root: string, exceptions: Readonly<Record<string, string>> = nodeTests): TestPlaces {
  const onePage: string[] = [];
  const ownPage: string[] = [];
  const browserOnly: string[] = [];
  const nodeOnly = new Map<string, string>();
  const packages = new Set<string>();
  for (const file of testFiles(root)) {
    const path = join(root, file);
    const imports = runTimeImports(path);
    const reason = exceptions[file] ?? [...imports].find(needsNode);
    if (reason !== undefined) {
      nodeOnly.set(file, reason);
      continue;
    }
    (asksForDom(path) ? ownPage : onePage).push(file);
    if (imports.has('vitest/browser')) browserOnly.push(file);
    for (const name of imports) if (!/^vitest(?:\/|$)/.test(name)) packages.add(name);
  }
  return { onePage, ownPage, browserOnly, nodeOnly, packages: [...packages].sort() };
}

function testFiles(root: string): readonly string[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => `test/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.test.ts') && !path.includes('/node_modules/'))
    .sort();
}

const asksForDom = (path: string): boolean => /^\/\/ @vitest-environment (?!node\b)/.test(readFileSync(path, 'utf8'));

function needsNode(specifier: string): boolean {
  return isBuiltin(specifier) || Object.keys(nodePackages).some((name) => specifier === name || specifier.startsWith(`${name}/`));
}
