import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../src/chat/configuration-error.ts';
import type { Cassette } from '../../../src/testing/cassette/cassette.ts';
import { cassetteModel } from '../../../src/testing/cassette/cassette-model.ts';
import { parseCassette } from '../../../src/testing/cassette/parse-cassette.ts';
import { ask, recorded } from './support.ts';

const whole = recorded([[ask('Hi'), '-a-A|']]);

/** The cassette with something else at a path. */
function broken(path: string, value: unknown): unknown {
  const copy = structuredClone(whole) as unknown;
  const steps = path.split('.');
  const last = steps.pop()!;
  const parent = steps.reduce((at, step) => (at as Record<string, unknown>)[step], copy) as Record<string, unknown>;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

const messageOf = (json: unknown): string => {
  try {
    parseCassette(json);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as Error).message;
  }
  throw new Error('It was taken.');
};

describe('parseCassette', () => {
  it('takes a cassette as JSON text and as what was parsed', () => {
    expect(parseCassette(whole)).toBe(whole);
    expect(parseCassette(JSON.stringify(whole))).toEqual(whole);
  });

  it.each([
    ['', 'parseCassette: this is no JSON (it is empty); record the cassette anew.'],
    [null, 'parseCassette: this is null and no cassette; pass what recordCassette has written.'],
    [[], 'parseCassette: this is a list and no cassette; pass what recordCassette has written.'],
    [7, 'parseCassette: this is a number and no cassette; pass what recordCassette has written.'],
    [{}, 'parseCassette: there is no version, so this is no cassette; pass what recordCassette has written.'],
  ])('tells what %j is instead', (json, message) => {
    expect(messageOf(json)).toBe(message);
  });

  it('tells newer and older versions apart', () => {
    expect(messageOf({ version: 2 })).toBe(
      'parseCassette: it has version 2, and here version 1 is read: it was recorded with a newer toolstream; update, or record it anew.',
    );
    expect(messageOf({ version: 0 })).toBe(
      'parseCassette: 0 is no version of a cassette (here version 1 is read); record it anew.',
    );
    expect(messageOf({ version: '1' })).toBe(
      'parseCassette: "1" is no version of a cassette (here version 1 is read); record it anew.',
    );
  });

  it.each([
    ['provider', undefined, 'provider: Invalid input: expected string, received undefined'],
    ['exchanges', {}, 'exchanges: Invalid input: expected array, received object'],
    ['exchanges.0.request', undefined, 'exchanges[0].request: Invalid input: expected object, received undefined'],
    [
      'exchanges.0.request.messages.0.role',
      'bot',
      'exchanges[0].request.messages[0].role: Invalid option: expected one of "system"|',
    ],
    ['exchanges.0.events.0.at', '1', 'exchanges[0].events[0].at: Invalid input: expected number, received string'],
    ['exchanges.0.events.0.at', -1, 'exchanges[0].events[0].at: Too small'],
    ['exchanges.0.events.0.text', undefined, 'exchanges[0].events[0].text: Invalid input: expected string, received undefined'],
    ['exchanges.0.events.0.type', 'partialText', 'exchanges[0].events[0].type: Invalid'],
    ['exchanges.0.events.1.request.arguments', {}, 'exchanges[0].events[1].request.arguments: Invalid input: expected string'],
    [
      'exchanges.0.events.2.response.aiMessage',
      {},
      'exchanges[0].events[2].response.aiMessage.role: Invalid input: expected "assistant"',
    ],
    [
      'exchanges.0.events.2.response.aiMessage.attributes',
      [],
      'exchanges[0].events[2].response.aiMessage.attributes: Invalid input: expected object',
    ],
    ['exchanges.0.end', { at: 4, how: 'cut' }, 'exchanges[0].end.how: Invalid'],
    ['exchanges.0.end', { at: 4, how: 'error' }, 'exchanges[0].end.error: Invalid input: expected an error (name and message; '],
    ['exchanges.0.end.at', 2, 'exchanges[0].end.at: time goes back, from 4 to 2'],
    ['exchanges.0.events.1.at', 0, 'exchanges[0].events[1].at: time goes back, from 1 to 0'],
    ['exchanges.0.beside', [0], 'exchanges[0].beside: 0 is not the place of an earlier exchange'],
  ])('says where it is broken: %s', (path, value, problem) => {
    const lines = messageOf(broken(path, value)).split('\n');
    expect(lines[0]).toBe('parseCassette: this is a broken cassette:');
    expect(lines[1]).toContain(`  ${problem}`);
    expect(lines.at(-1)).toBe('Mend it there, or record it anew.');
  });

  it('wants all that makes a ChatModelError', () => {
    const error = { name: 'ChatModelError', message: 'no', kind: 'server', provider: 'x', retryable: false };
    const ending = (what: object) => broken('exchanges.0.end', { at: 9, how: 'error', error: what });
    expect(parseCassette(ending(error))).toBeDefined();
    expect(parseCassette(ending({ thrown: null }))).toBeDefined();
    expect(messageOf(ending({ ...error, kind: 'bad luck' }))).toContain(
      'exchanges[0].end.error: Invalid input: expected an error',
    );
    expect(messageOf(ending({ ...error, retryable: undefined }))).toContain(
      'of a ChatModelError also kind, provider and retryable',
    );
  });

  it('counts what it has no room for', () => {
    const events = Array.from({ length: 9 }, () => ({ at: 0, type: 'partialResponse' }));
    const lines = messageOf(broken('exchanges.0.events', events)).split('\n');
    expect(lines).toHaveLength(8);
    expect(lines[6]).toBe('  and 4 more');
  });
});

describe('cassetteModel', () => {
  it('checks a cassette that it is given as it checks a file', () => {
    expect(() => cassetteModel({ ...whole, version: 3 } as unknown as Cassette)).toThrow('cassetteModel: it has version 3');
    expect(() => cassetteModel(undefined as never)).toThrow('cassetteModel: this is undefined and no cassette');
  });
});
