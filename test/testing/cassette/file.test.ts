import {
  closeSync,
  existsSync,
  openSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { config, tap } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfigurationError } from '../../../src/chat/configuration-error.ts';
import type { ChatModel } from '../../../src/chat/chat-model.ts';
import { cassetteModel } from '../../../src/testing/cassette/cassette-model.ts';
import { parseCassette } from '../../../src/testing/cassette/parse-cassette.ts';
import { recordCassette } from '../../../src/testing/cassette/record-cassette.ts';
import { scriptedModel } from '../../../src/testing/scripted-model.ts';
import { watch } from '../../chat/watch.ts';
import { ask, asked, failureOf, play } from './support.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cassette-'));
  file = join(folder, 'a.cassette.json');
});

afterEach(() => {
  vi.unstubAllGlobals();
  config.onUnhandledError = null;
  rmSync(folder, { recursive: true, force: true });
});

const read = () => parseCassette(readFileSync(file, 'utf8'));

const exchangesInFile = () => (existsSync(file) ? read().exchanges.length : 0);

describe('a cassette in a file', () => {
  it('is JSON that can be read in a review: a header, and one event a line', () => {
    const model: ChatModel = { ...scriptedModel(['-a-(bA)|']), modelName: 'gpt-x', supports: { jsonSchema: true } };
    asked(recordCassette(model, { file }), ask('What is one and one?', { temperature: 0, stopSequences: ['x', 'y'] }));
    expect(readFileSync(file, 'utf8')).toBe(`{
  "version": 1,
  "provider": "scripted",
  "modelName": "gpt-x",
  "supports": { "jsonSchema": true },
  "recordedAt": "1970-01-01T00:00:00.000Z",
  "exchanges": [
    {
      "request": {
        "messages": [{ "role": "user", "contents": [{ "type": "text", "text": "What is one and one?" }] }],
        "temperature": 0,
        "stopSequences": ["x", "y"]
      },
      "events": [
        { "at": 1, "type": "partialResponse", "text": "a" },
        { "at": 3, "type": "partialResponse", "text": "b" },
        { "at": 3, "type": "completeToolCall", "index": 0, "request": { "id": "A", "name": "a", "arguments": "{}" } },
        {
          "at": 4,
          "type": "completeResponse",
          "response": {
            "aiMessage": {
              "role": "assistant",
              "text": "ab",
              "toolExecutionRequests": [{ "id": "A", "name": "a", "arguments": "{}" }]
            },
            "finishReason": "toolExecution"
          }
        }
      ],
      "end": { "at": 4, "how": "complete" }
    }
  ]
}
`);
  });

  it('has its settings in the same order, however the request was put together', () => {
    asked(recordCassette(scriptedModel(['|']), { file }), { seed: 1, temperature: 2, messages: [] });
    const first = readFileSync(file, 'utf8');
    asked(recordCassette(scriptedModel(['|']), { file }), { temperature: 2, messages: [], seed: 1 });
    expect(readFileSync(file, 'utf8')).toBe(first);
  });

  it('is written after each answer, before the consumer hears of its end', () => {
    const model = recordCassette(scriptedModel(['-a|', '--#', '-c-|']), { file });
    const lengths: number[] = [];
    const look = () => lengths.push(exchangesInFile());
    const lookOn = tap({ subscribe: look, complete: look, error: look });
    play([model.chat(ask('One')).pipe(lookOn)], [model.chat(ask('Two')).pipe(lookOn), '-^'], [model.chat(ask('Three')), '-^-!']);
    expect(lengths).toEqual([0, 0, 1, 2]);
    expect(read().exchanges.map(({ end }) => [end.at, end.how])).toEqual([
      [2, 'complete'],
      [2, 'error'],
      [2, 'unsubscribed'],
    ]);
    expect(readdirSync(folder)).toEqual(['a.cassette.json']);
  });

  it('takes the place of an older one only when there is an answer', () => {
    writeFileSync(file, 'older');
    const model = recordCassette(scriptedModel(['-a|']), { file });
    expect(readFileSync(file, 'utf8')).toBe('older');
    asked(model, ask('Hi'));
    expect(exchangesInFile()).toBe(1);
  });

  it('is whole at any moment: whoever has it open reads the older one to its end', () => {
    const model = recordCassette(scriptedModel(['-a|', '-b|']), { file });
    asked(model, ask('One'));
    const older = readFileSync(file, 'utf8');
    const open = openSync(file, 'r');
    try {
      asked(model, ask('Two'));
      expect(readFileSync(open, 'utf8')).toBe(older);
      expect(exchangesInFile()).toBe(2);
    } finally {
      closeSync(open);
    }
  });

  it('may be named by a path or a URL, in a folder that is made', () => {
    const deep = pathToFileURL(join(folder, 'some where/b.json'));
    asked(recordCassette(scriptedModel(['-a|']), { file: deep }), ask('Hi'));
    expect(asked(cassetteModel(deep), ask('Hi')).end?.[1]).toBe('complete');
    expect(failureOf(cassetteModel(join(folder, 'some where/b.json')), ask('Ho'))).toContain(
      `cassette ${folder}/some where/b.json: request 1`,
    );
  });
});

describe('a file that can not be used', () => {
  it('fails the recording before it begins', () => {
    const recording = (path: string | URL) => () => recordCassette(scriptedModel([]), { file: path });
    expect(recording(folder)).toThrow(
      `recordCassette: the file ${folder} can't be written (it is a folder); name a file in a folder`,
    );
    writeFileSync(file, '');
    expect(recording(join(file, 'x.json'))).toThrow(ConfigurationError);
    expect(recording('')).toThrow('recordCassette: file is ""; it must be a path or a file: URL');
    expect(recording(5 as never)).toThrow('recordCassette: file is 5; it must be a path or a file: URL');
    expect(recording(new URL('https://x.org/a.json'))).toThrow('recordCassette: file is "https://x.org/a.json"; it must be');
  });

  it('is told on the console when it fails later, and does not touch the answer', () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const model = recordCassette(scriptedModel([['a']]), { file });
    mkdirSync(file);
    const { values, end } = watch(model.chat(ask('Hi')));
    expect([...values.map(({ type }) => type), end]).toEqual(['partialResponse', 'completeResponse', 'complete']);
    const [words, error] = told.mock.lastCall as [string, unknown];
    expect(words).toBe('recordCassette: the cassette could not be written.');
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(String(error)).toMatch(
      /recordCassette: the file .* can't be written \(.*\); what was recorded is still in cassette\(\)\./,
    );
    expect(model.cassette().exchanges).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(['a.cassette.json']);
    told.mockRestore();
  });

  it('fails the replay, and says what to do', () => {
    expect(() => cassetteModel(file)).toThrow(
      `cassetteModel: the file ${file} can't be read (ENOENT: no such file or directory, open '${file}'); ` +
        'record it with recordCassette(model, { file }), or correct the path.',
    );
    expect(() => cassetteModel('{"version":1}')).toThrow('JSON is read by parseCassette');
  });

  it('is known by its name where it is broken', () => {
    writeFileSync(file, '{"version": 1, "provider"');
    expect(() => cassetteModel(file)).toThrow(
      new RegExp(`^cassette ${file}: this is no JSON \\(.+\\); record the cassette anew\\.$`),
    );
    writeFileSync(file, ' ');
    expect(() => cassetteModel(file)).toThrow(`cassette ${file}: this is no JSON (it is empty); record the cassette anew.`);
  });
});

describe('where there is no Node', () => {
  beforeEach(() => vi.stubGlobal('process', undefined));

  it('a file is a ConfigurationError that names what to use instead', () => {
    expect(() => recordCassette(scriptedModel([]), { file: 'a.json' })).toThrow(
      new ConfigurationError(
        'recordCassette: there are no files here, only in Node from 20.16 on; leave file out and use cassette().',
      ),
    );
    expect(() => cassetteModel('a.json')).toThrow(
      new ConfigurationError(
        'cassetteModel: there are no files here, only in Node from 20.16 on; pass the cassette itself, as parseCassette(text) gives it.',
      ),
    );
  });

  it('recording and replaying work with the cassette itself', () => {
    const model = recordCassette(scriptedModel([['a']]));
    const { values } = watch(model.chat(ask('Hi')));
    const replaying = cassetteModel(parseCassette(JSON.stringify(model.cassette())), { speed: 'instant' });
    expect(watch(replaying.chat(ask('Hi')))).toMatchObject({ values, end: 'complete' });
  });
});
