import { Observable, asyncScheduler, defer, type SchedulerLike } from 'rxjs';
import type { ChatModel, ChatModelEvent } from '../../chat/chat-model.ts';
import { checkModel } from '../../chat/check-model.ts';
import { checkKnownOptions, checkMethods } from '../../chat/option-checks.ts';
import { subscribeEarly } from '../../chat/subscribe-early.ts';
import { cassetteVersion, type Cassette, type CassetteExchange } from './cassette.ts';
import { cassetteFile } from './cassette-file.ts';
import { cassetteText } from './cassette-text.ts';
import { exchangeTape, type ExchangeTape } from './exchange-tape.ts';
import { redaction, type Redact } from './redaction.ts';

export interface RecordCassetteOptions {
  /** Where the cassette is written after each answer. Its folder is made; an older cassette is replaced. */
  readonly file?: string | URL | undefined;
  /**
   * What must not be on the tape: texts, patterns, or a function that takes them out of a text. What stands in `providerOptions`
   * under names such as `apiKey` or `headers` is never on it.
   */
  readonly redact?: Redact | readonly Redact[] | undefined;
  /** Where times come from: `asyncScheduler` by default. */
  readonly scheduler?: SchedulerLike | undefined;
}

export interface RecordingModel extends ChatModel {
  /** What was recorded so far: the answers that have ended, as plain JSON. */
  cassette(): Cassette;
}

/** A tape, and those that were running when it began. */
interface Recorded {
  readonly tape: ExchangeTape;
  readonly beside: readonly Recorded[];
}

/**
 * A model that passes everything through and records it: requests without their secrets, events with their times, and how
 * each answer ended. `cassetteModel` plays it again.
 *
 * Throws a `ConfigurationError` where the file can't be written. A file that can't be written later is told on the
 * console: it does not touch the answer.
 *
 * @example
 * recordCassette(openAiChat({ modelName: 'gpt-5-mini', apiKey }), { file: 'test/weather.cassette.json' });
 */
export function recordCassette(model: ChatModel, options: RecordCassetteOptions = {}): RecordingModel {
  checkModel('recordCassette', model);
  checkKnownOptions('recordCassette', options, ['file', 'redact', 'scheduler']);
  checkMethods('recordCassette', 'scheduler', options.scheduler, ['now', 'schedule']);
  const { file, scheduler = asyncScheduler } = options;
  const settings = { now: () => scheduler.now(), redact: redaction('recordCassette', options.redact) };
  const target = file === undefined ? undefined : cassetteFile('recordCassette', file, 'leave file out and use cassette()');
  target?.prepare();
  const { provider, modelName, supports } = model;
  const header = { provider, ...(modelName !== undefined && { modelName }), ...(supports && { supports }) };
  const all: Recorded[] = [];
  const exchangeOf = exchangesOnce();
  let firstAt: number | undefined;

  const cassette = (): Cassette => {
    const ended = all.filter(({ tape }) => tape.recorded());
    const recordedAt = new Date(firstAt ?? settings.now()).toISOString();
    return { version: cassetteVersion, ...header, recordedAt, exchanges: ended.map((one) => exchangeOf(one, ended)) };
  };
  const write = () => {
    try {
      target?.write(cassetteText(cassette()));
    } catch (error) {
      // The answer is not to blame, and whoever waits for it gets it.
      console.error('recordCassette: the cassette could not be written.', error);
    }
  };
  return {
    ...header,
    cassette,
    chat: (request) =>
      new Observable<ChatModelEvent>((subscriber) => {
        firstAt ??= settings.now();
        const tape = exchangeTape(request, settings, write);
        all.push({ tape, beside: all.filter((other) => other.tape.isRunning) });
        subscriber.add(() => tape.unsubscribed());
        const observer = {
          next: (event: ChatModelEvent) => {
            tape.event(event);
            subscriber.next(event);
          },
          error: (error: unknown) => {
            tape.error(error);
            subscriber.error(error);
          },
          complete: () => {
            tape.complete();
            subscriber.complete();
          },
        };
        subscribeEarly(
          defer(() => model.chat(request)),
          observer,
          (subscription) => subscriber.add(subscription),
        );
      }),
  };
}

/** The same object for the same exchange, for as long as its neighbours keep their places: what was laid out stays so. */
function exchangesOnce(): (one: Recorded, ended: readonly Recorded[]) => CassetteExchange {
  const known = new Map<Recorded, CassetteExchange>();
  return (one, ended) => {
    const beside = one.beside.map((other) => ended.indexOf(other)).filter((place) => place >= 0);
    const before = known.get(one);
    if (before && String(before.beside ?? '') === String(beside)) return before;
    const { request, events, end } = one.tape.recorded()!;
    const exchange = { request, ...(beside.length > 0 && { beside }), events, end };
    known.set(one, exchange);
    return exchange;
  };
}
