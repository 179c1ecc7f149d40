import { Observable, asyncScheduler, type SchedulerLike } from 'rxjs';
import type { ChatModel, ChatModelEvent } from '../../chat/chat-model.ts';
import type { ChatRequest } from '../../chat/chat-request.ts';
import { checkKnownOptions, checkMethods, invalidOption } from '../../chat/option-checks.ts';
import type { Cassette } from './cassette.ts';
import { CassetteError } from './cassette-error.ts';
import { cassetteFile } from './cassette-file.ts';
import { exchangePicker } from './exchange-picker.ts';
import { requestMatcher, type CassetteMatch } from './match-request.ts';
import { checkedCassette, readCassette } from './parse-cassette.ts';
import { redaction, type Redact } from './redaction.ts';
import { replay } from './replay.ts';
import { replayFailures } from './replay-failures.ts';
import { tapedRequest } from './taped-request.ts';

export interface CassetteModelOptions {
  /** How many times as fast as it was recorded (1 by default), or `instant`: all at once, without any time passing. */
  readonly speed?: number | 'instant' | undefined;
  /** What may differ between a request and the recorded one, beyond ids of calls and what was redacted. */
  readonly match?: CassetteMatch | undefined;
  /** What must not be in the message of an error that shows a request: as for `recordCassette`. */
  readonly redact?: Redact | readonly Redact[] | undefined;
  /** Where time comes from: `asyncScheduler` by default, which is virtual within `runMarbles` and `TestScheduler.run`. */
  readonly scheduler?: SchedulerLike | undefined;
}

export interface CassetteModel extends ChatModel {
  /** The numbers, from 1, of the recorded requests that have not come. */
  unused(): readonly number[];
}

/**
 * A model that plays a cassette: each subscription is answered by the next recorded answer, in its own time. A request that
 * is not the recorded one is an error that shows where they differ.
 *
 *     recorded   --a--b--(C|)
 *     replayed   --a--b--(C|)
 *
 * Throws a `ConfigurationError` for a file that can't be read, a broken cassette, or one of another version.
 *
 * @example
 * aiService({ model: cassetteModel('test/weather.cassette.json'), tools: [weather] });
 */
export function cassetteModel(cassette: string | URL | Cassette, options: CassetteModelOptions = {}): CassetteModel {
  checkKnownOptions('cassetteModel', options, ['speed', 'match', 'redact', 'scheduler']);
  checkMethods('cassetteModel', 'scheduler', options.scheduler, ['now', 'schedule']);
  const { speed = 1, scheduler = asyncScheduler } = options;
  if (speed !== 'instant' && !(typeof speed === 'number' && speed > 0 && speed < Infinity))
    throw invalidOption('cassetteModel', 'speed', speed, "it must be a number above 0, or 'instant'");
  const matcher = requestMatcher('cassetteModel', options.match);
  const redact = redaction('cassetteModel', options.redact);
  const { name, tape } = load(cassette);
  const { exchanges } = tape;
  const failures = replayFailures(name, exchanges, matcher);
  const picker = exchangePicker(exchanges);
  let requests = 0;

  const answerTo = (request: ChatRequest): Observable<ChatModelEvent> => {
    const number = ++requests;
    const came = tapedRequest(request, redact);
    const pick = picker.pick((exchange) => matcher.matches(came, exchange.request));
    if (!('found' in pick)) throw new CassetteError(failures.of(number, came, pick));
    const { found } = pick;
    const noMore = (at: number) => new CassetteError(failures.noMore(found, at));
    return replay(exchanges[found]!, { scheduler, speed, noMore });
  };
  const { provider, modelName, supports } = tape;
  return {
    provider,
    ...(modelName !== undefined && { modelName }),
    ...(supports && { supports }),
    unused: () => picker.left().map((place) => place + 1),
    chat: (request) => new Observable<ChatModelEvent>((subscriber) => answerTo(request).subscribe(subscriber)),
  };
}

function load(cassette: string | URL | Cassette): { readonly name: string; readonly tape: Cassette } {
  if (typeof cassette !== 'string' && !(cassette instanceof URL))
    return { name: 'cassette', tape: checkedCassette(cassette, 'cassetteModel') };
  const file = cassetteFile('cassetteModel', cassette, 'pass the cassette itself, as parseCassette(text) gives it');
  const name = `cassette ${file.path}`;
  return { name, tape: readCassette(file.read(), name) };
}
