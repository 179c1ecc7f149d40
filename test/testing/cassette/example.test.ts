import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filter, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { AiServiceStreamingEvent } from '../../../src/service/streaming-event.ts';
import { cassetteModel } from '../../../src/testing/cassette/cassette-model.ts';
import { parseCassette } from '../../../src/testing/cassette/parse-cassette.ts';
import { runMarbles } from '../../../src/testing/run-marbles.ts';
import { play } from './support.ts';
import { assistant, question, recordWeather } from './weather.ts';

/** Recorded by `RECORD_CASSETTE=1 npm test -- test/testing/cassette/example`. */
const fixture = new URL('weather.cassette.json', import.meta.url);

if (process.env['RECORD_CASSETTE']) await recordWeather(fixture);

/** The events of an invocation, each with the event's frame. */
const played = (file: string | URL) => play([assistant(cassetteModel(file)).stream(question)])[0]!;

/** How the events are drawn; the others are left out. */
const letters: Readonly<Record<string, string>> = {
  partialResponse: 't',
  completeToolCall: 'C',
  beforeToolExecution: 'b',
  afterToolExecution: 'a',
  intermediateResponse: '%',
  finalResponse: '$',
};

const drawn = (source: Observable<AiServiceStreamingEvent>) => source.pipe(filter(({ type }) => type in letters));

describe('a recorded assistant', () => {
  it('is marble-tested without a server: the first tool starts while the model still streams', () => {
    runMarbles(({ record }) => {
      const service = assistant(cassetteModel(fixture));
      record(drawn(service.stream(question)), ({ type }) => letters[type]!).toBe(
        '52ms t 28ms (Cb)---------------(Cb)%--a---------------a 27ms t-----t------($|)',
      );
    });
  });

  it('is marble-tested without the time of the network, too', () => {
    runMarbles(({ record }) => {
      const service = assistant(cassetteModel(fixture, { speed: 'instant' }));
      record(drawn(service.stream(question)), ({ type }) => letters[type]!).toBe('(tCbCb%)-------------------(aatt$|)');
    });
  });

  it('answers from its cassette as it answered when it was recorded', () => {
    const { at, end } = played(fixture);
    expect(end?.[1]).toBe('complete');
    expect(at.at(-1)?.[1]).toMatchObject({ type: 'finalResponse', response: { aiMessage: { text: 'Yes, in both of them.' } } });
  });

  it('is replayed at the very times of the tape', () => {
    const { exchanges } = parseCassette(readFileSync(fixture, 'utf8'));
    const times = exchanges[0]!.events.flatMap((event) => (event.type === 'partialResponse' ? [event.at] : []));
    const texts = played(fixture).at.filter(([, event]) => event.type === 'partialResponse' && event.round === 1);
    expect(texts.map(([frame]) => frame)).toEqual(times);
  });
});

describe('an assistant over HTTP', () => {
  it('is recorded once, and replayed ever after without the server', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cassette-'));
    try {
      const file = join(folder, 'weather.json');
      expect(await recordWeather(file)).toBe('Yes, in both of them.');
      expect(readFileSync(file, 'utf8')).not.toMatch(/sk-live|authorization/i);
      const { at, end } = played(file);
      expect(end?.[1]).toBe('complete');
      expect(at.filter(([, { type }]) => type === 'afterToolExecution')).toHaveLength(2);
      expect(at.at(-1)?.[1]).toMatchObject({ type: 'finalResponse', response: { aiMessage: { text: 'Yes, in both of them.' } } });
      expect(played(file)).toMatchObject({ end });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
