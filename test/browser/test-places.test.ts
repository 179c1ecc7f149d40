import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodePackages, nodeTests } from './node-only.ts';
import { testPlaces } from './test-places.ts';

/** Where these files would run. */
function placesOf(files: Readonly<Record<string, string>>, exceptions = {}) {
  const root = mkdtempSync(join(tmpdir(), 'places-'));
  mkdirSync(join(root, 'test'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, 'test', name), text);
  try {
    return testPlaces(root, exceptions);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const helper = "export * from './disk.ts';";
const disk = "import { readFileSync } from 'node:fs'; export const read = readFileSync;";

describe('a test file', () => {
  it('runs in a browser, with the packages that it imports', () => {
    const places = placesOf({
      'a.test.ts': "import { of } from 'rxjs'; import { it } from 'vitest'; import './b.ts';",
      'b.ts': "import 'zod';",
    });
    expect(places).toMatchObject({ onePage: ['test/a.test.ts'], ownPage: [], browserOnly: [], packages: ['rxjs', 'zod'] });
  });

  it.each([
    ['a builtin', "import fs from 'fs';", 'fs'],
    ['a builtin, far away', "import { read } from './helper.ts';", 'node:fs'],
    ['a builtin, when it comes to that', "await import('./helper.ts');", 'node:fs'],
    ['a package that needs Node', "import { LLMock } from '@copilotkit/aimock';", '@copilotkit/aimock'],
    ['a part of one', "export * from '@copilotkit/aimock/mcp';", '@copilotkit/aimock/mcp'],
  ])('runs on Node only if it imports %s', (_, text, reason) => {
    const { onePage, nodeOnly } = placesOf({ 'a.test.ts': text, 'helper.ts': helper, 'disk.ts': disk });
    expect(onePage).toEqual([]);
    expect([...nodeOnly]).toEqual([['test/a.test.ts', reason]]);
  });

  it('runs on Node only if the list says so', () => {
    expect([...placesOf({ 'a.test.ts': '' }, { 'test/a.test.ts': 'why' }).nodeOnly]).toEqual([['test/a.test.ts', 'why']]);
  });

  it('runs in a browser if it imports only types of what needs Node', () => {
    const text = "import type { Stats } from 'node:fs'; export type { Mode } from './disk.ts';";
    expect(placesOf({ 'a.test.ts': text, 'disk.ts': disk }).onePage).toEqual(['test/a.test.ts']);
  });

  it('has a page of its own if it asks for a DOM, and runs nowhere else if it asks for a browser', () => {
    const places = placesOf({
      'a.test.ts': '// @vitest-environment jsdom\n',
      'b.test.ts': "import { commands } from 'vitest/browser';",
    });
    expect(places).toMatchObject({ ownPage: ['test/a.test.ts'], onePage: ['test/b.test.ts'], browserOnly: ['test/b.test.ts'] });
  });
});

describe('the tests of this project', () => {
  const root = join(import.meta.dirname, '../..');
  const { onePage, nodeOnly } = testPlaces(root);
  const unlisted = testPlaces(root, {});

  it('would run in a browser if the list did not keep them from it', () => {
    expect(Object.keys(nodeTests).filter((file) => !unlisted.onePage.includes(file))).toEqual([]);
  });

  it('use each package that is said to need Node', () => {
    const imported = [...unlisted.nodeOnly.values()];
    const isUsed = (name: string) => imported.some((specifier) => specifier === name || specifier.startsWith(`${name}/`));
    expect(Object.keys(nodePackages).filter((name) => !isUsed(name))).toEqual([]);
  });

  // So that a helper which comes to need Node does not quietly take all that use it along.
  it.each(['chat', 'tool', 'event', 'memory', 'service', 'provider', 'wire', 'testing', 'timeline', 'marbles'])(
    'run in a browser, two thirds of them or more: %s',
    (folder) => {
      const inFolder = (file: string) => file.startsWith(`test/${folder}/`);
      const [all, kept] = [[...onePage, ...nodeOnly.keys()].filter(inFolder), onePage.filter(inFolder)];
      expect(kept.length / all.length).toBeGreaterThanOrEqual(2 / 3);
    },
  );
});
