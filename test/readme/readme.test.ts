import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { aiService, tool } from '../../src/index.ts';
import { openAiChat } from '../../src/provider/openai/index.ts';
import { z } from 'zod';
import { fakeFetch } from './fake-server.ts';
import { snippets } from './snippets.ts';
import { typeErrors } from './type-check.ts';

/** What each snippet prints, piece by piece, when the model calls the tool that it is offered and then answers. */
const printed: Readonly<Record<string, readonly unknown[]>> = {
  'Quick start': ['It is ', 'fine.'],
  'One invocation, four views': [
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
  Cancel: [['AbortError', 'the user left', 'nothing yet']],
  Events: [
    ['get_weather', false, 'sunny in Paris'],
    ['get_weather', false, 'sunny in Rome'],
  ],
  'Around every call': [
    ['get_weather', true],
    ['get_weather', true],
  ],
  'Virtual time': [[true]],
};

const folder = fileURLToPath(new URL('./.snippets/', import.meta.url));
const fileOf = (place: number) => `${folder}snippet-${place}.ts`;

describe('the README', () => {
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    snippets.forEach(({ code }, place) => writeFileSync(fileOf(place), `${code}\nexport {};\n`));
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

  it('has a snippet for every promise that is tested here, and no other', () => {
    expect(snippets.map(({ heading }) => heading)).toEqual(Object.keys(printed));
  });

  it('has snippets that compile under strict settings', () => {
    expect(typeErrors(snippets.map((_, place) => fileOf(place)))).toEqual([]);
  }, 60_000);

  it.each(snippets.map(({ heading }, place) => ({ heading, place })))(
    'does what it says under "$heading"',
    async ({ heading, place }) => {
      const output: unknown[] = [];
      vi.spyOn(console, 'log').mockImplementation((...words) => void output.push(words));
      vi.spyOn(console, 'error').mockImplementation((...words) => void output.push(words));
      vi.spyOn(process.stdout, 'write').mockImplementation((text) => output.push(text) > 0);
      await import(/* @vite-ignore */ fileOf(place));
      await vi.waitFor(() => expect(output).toEqual(printed[heading]));
    },
  );
});
