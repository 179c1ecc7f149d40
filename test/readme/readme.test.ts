import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import ts from 'typescript';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { aiService, tool } from '../../src/index.ts';
import { openAiChat } from '../../src/provider/openai/index.ts';
import { z } from 'zod';
import { fakeFetch } from './fake-server.ts';
import { readme, sections, snippets } from './snippets.ts';
import { typeErrors } from './type-check.ts';

/** What those snippets print, piece by piece, that do not say it themselves. */
const printed: Readonly<Record<string, readonly unknown[]>> = {
  'Quick start': ['It is ', 'fine.'],
  'One invocation, six views': [
    ['start', 'get_weather', '{"city":"Paris"}'],
    ['start', 'get_weather', '{"city":"Rome"}'],
    ['end', 'sunny in Paris', false],
    ['end', 'sunny in Rome', false],
    ['text', 'It is '],
    ['text', 'fine.'],
    ['tokens', 84],
  ],
  Tools: [],
  'What the model is told of errors': [['It is fine.', ['There is no order 17. Ask the user to check the number.']]],
  Memory: [[1], ['told twice']],
  'Around every call': [
    ['before', '{"city":"Paris"}'],
    ['before', '{"city":"Rome"}'],
    ['get_weather', true],
    ['after', false],
    ['get_weather', true],
    ['after', false],
  ],
};

const folder = fileURLToPath(new URL('./.snippets/', import.meta.url));
const fileOf = (place: number) => `${folder}snippet-${place}.ts`;
const compiledFileOf = (place: number) => `${folder}snippet-${place}.js`;

/** Compiled here, because what runs the tests can't read decorators. */
function compiled(code: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  return ts.transpileModule(code, { compilerOptions }).outputText;
}

describe('the README', () => {
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    snippets.forEach(({ code }, place) => {
      writeFileSync(fileOf(place), `${code}\nexport {};\n`);
      writeFileSync(compiledFileOf(place), compiled(code));
    });
    vi.stubGlobal('fetch', fakeFetch);
    const model = openAiChat({ modelName: 'test' });
    const weather = tool({
      name: 'get_weather',
      parameters: z.object({ city: z.string() }),
      execute: ({ city }) => Promise.resolve(`sunny in ${city}`),
    });
    vi.stubGlobal('model', model);
    vi.stubGlobal('weather', weather);
    vi.stubGlobal('assistant', aiService({ model, tools: [weather] }));
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(() => {
    vi.unstubAllGlobals();
    rmSync(folder, { recursive: true });
  });

  it('has one snippet under a heading, which says what it prints, or is told of here', () => {
    const headings = snippets.map(({ heading }) => heading);
    expect(headings).toEqual([...new Set(headings)]);
    const silent = snippets.filter(({ shown }) => shown.length === 0).map(({ heading }) => heading);
    expect(silent).toEqual(Object.keys(printed));
  });

  it('links only to headings that it has', () => {
    const anchors = [...sections.keys()].map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );
    const links = Array.from(readme.matchAll(/\]\(#([^)]+)\)/g), ([, link]) => link!);
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((link) => !anchors.includes(link))).toEqual([]);
  });

  it('links only to files that the package has', () => {
    const packed = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { files: string[] };
    const links = Array.from(readme.matchAll(/\]\((?!#|https:)([^)]+)\)/g), ([, link]) => link!);
    expect(links.length).toBeGreaterThan(2);
    expect(links.filter((link) => !packed.files.includes(link))).toEqual([]);
    expect(links.filter((link) => !existsSync(new URL(`../../${link}`, import.meta.url)))).toEqual([]);
  });

  it('has snippets that compile under strict settings', () => {
    expect(typeErrors(snippets.map((_, place) => fileOf(place)))).toEqual([]);
  }, 120_000);

  it.each(snippets.map(({ heading, shown }, place) => ({ heading, shown, place })))(
    'does what it says under "$heading"',
    async ({ heading, shown, place }) => {
      const output: (readonly unknown[] | string)[] = [];
      vi.spyOn(console, 'log').mockImplementation((...words) => void output.push(words));
      vi.spyOn(console, 'error').mockImplementation((...words) => void output.push(words));
      vi.spyOn(console, 'warn').mockImplementation((...words) => void output.push(words));
      vi.spyOn(process.stdout, 'write').mockImplementation((text) => output.push(String(text)) > 0);
      const lines = () => output.map((words) => (typeof words === 'string' ? words : format(...words)).trimEnd());
      await import(/* @vite-ignore */ compiledFileOf(place));
      await vi.waitFor(
        () => {
          if (shown.length > 0) expect(lines()).toEqual(shown);
          else expect(output).toEqual(printed[heading]);
        },
        { timeout: 5000 },
      );
    },
  );
});
