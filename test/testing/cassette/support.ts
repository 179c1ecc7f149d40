import { asyncScheduler, type Observable } from 'rxjs';
import type { ChatModel, ChatModelEvent } from '../../../src/chat/chat-model.ts';
import type { ChatRequest } from '../../../src/chat/chat-request.ts';
import type { ChatMessage } from '../../../src/chat/message.ts';
import { runMarbles } from '../../../src/testing/run-marbles.ts';
import type { Cassette } from '../../../src/testing/cassette/cassette.ts';
import { recordCassette, type RecordCassetteOptions } from '../../../src/testing/cassette/record-cassette.ts';
import type { ScriptedAnswer } from '../../../src/testing/scripted-answer.ts';
import { scriptedModel } from '../../../src/testing/scripted-model.ts';

export const user = (text: string): ChatMessage => ({ role: 'user', contents: [{ type: 'text', text }] });

export const ask = (text: string, more: Partial<ChatRequest> = {}): ChatRequest => ({ messages: [user(text)], ...more });

/** As a file would hold it. */
export const throughJson = (cassette: Cassette): Cassette => JSON.parse(JSON.stringify(cassette)) as Cassette;

/** What a source did, on virtual time, with each value at its frame. */
export interface Played<T> {
  readonly at: readonly (readonly [frame: number, value: T])[];
  readonly end: readonly [frame: number, how: 'complete' | 'error', error?: unknown] | undefined;
}

/** Plays sources together on virtual time; `^` and `!` of a subscription tell when. */
export function play<T>(...sources: readonly (readonly [source: Observable<T>, subscription?: string])[]): readonly Played<T>[] {
  const played = sources.map(() => ({ at: [] as [number, T][], end: undefined as Played<T>['end'] }));
  runMarbles(({ at }) => {
    sources.forEach(([source, subscription = '^'], place) => {
      const { at: log } = played[place]!;
      const now = () => asyncScheduler.now();
      at(subscription.indexOf('^'), () => {
        const running = source.subscribe({
          next: (value) => log.push([now(), value]),
          error: (error: unknown) => (played[place]!.end = [now(), 'error', error]),
          complete: () => (played[place]!.end = [now(), 'complete']),
        });
        const stay = subscription.indexOf('!') - subscription.indexOf('^');
        if (stay > 0) asyncScheduler.schedule(() => running.unsubscribe(), stay);
      });
    });
  });
  return played;
}

/** Asks a model on virtual time, once, and tells what came. */
export const asked = (model: ChatModel, request: ChatRequest, subscription = '^'): Played<ChatModelEvent> =>
  play([model.chat(request), subscription])[0]!;

/** Records requests one after the other, each with its answer. */
export function recorded(
  exchanges: readonly (readonly [ChatRequest, ScriptedAnswer])[],
  options: RecordCassetteOptions = {},
): Cassette {
  const model = recordCassette(scriptedModel(exchanges.map(([, answer]) => answer)), options);
  for (const [request] of exchanges) asked(model, request);
  return throughJson(model.cassette());
}

/** The message of what a source fails with. */
export function failureOf(model: ChatModel, request: ChatRequest): string {
  const { end } = asked(model, request);
  if (!(end?.[2] instanceof Error)) throw new Error(`There was no error but ${JSON.stringify(end)}.`);
  return end[2].message;
}
