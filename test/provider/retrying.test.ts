import { Observable, asyncScheduler, of, take, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ChatModelError, type ChatModelErrorDetails } from '../../src/chat/chat-model-error.ts';
import type { ChatModelEvent } from '../../src/chat/chat-model.ts';
import { retrying } from '../../src/provider/retrying.ts';
import { marbleSource } from '../../src/testing/marbles.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import type { Recording } from '../../src/testing/recording.ts';
import { drawSpan, logged, type SubscriptionSpan } from '../../src/testing/subscription-log.ts';

const busy = (details: Partial<ChatModelErrorDetails> = {}) =>
  new ChatModelError('busy', { kind: 'overloaded', provider: 'p', retryable: true, ...details });

/** A request whose attempts follow these diagrams, one after the other; the last one for all that follow. */
function request(attempts: readonly string[], error: unknown = busy()) {
  const log: SubscriptionSpan[] = [];
  const request$ = new Observable<ChatModelEvent>((subscriber) => {
    const marbles = attempts[Math.min(log.length, attempts.length - 1)]!;
    return logged(
      marbleSource<ChatModelEvent>(marbles, (text) => (text === '#' ? { error } : { value: { type: 'partialResponse', text } })),
      log,
    ).subscribe(subscriber);
  });
  return { request$, spans: () => log.map(drawSpan) };
}

const policy = (maxRetries: number, random = () => 0) => ({ maxRetries, scheduler: asyncScheduler, random });
const symbol = (event: ChatModelEvent) => (event.type === 'retry' ? '@' : (event as { text: string }).text);
const delays = (recording: Recording<ChatModelEvent>) =>
  recording.values.flatMap((event) => (event.type === 'retry' ? [event.delay] : []));

describe('retrying', () => {
  it('sends a request again that failed before it emitted anything, and tells so', () => {
    const error = busy();
    const { request$ } = request(['--#', '-t-t|'], error);
    runMarbles(({ record, at }) => {
      const recording = record(retrying(request$, policy(2)), symbol).toBe('--@ 500ms t-t|');
      at(1000, () => expect(recording.values[0]).toEqual({ type: 'retry', attempt: 1, delay: 500, error }));
    });
  });

  it('never sends a request again once something of its answer has gone out', () => {
    const { request$ } = request(['-t#']);
    runMarbles(({ record }) => {
      record(retrying(request$, policy(2)), symbol).toBe('-t#');
    });
  });

  it('does not send a second attempt again either once that has emitted', () => {
    const { request$ } = request(['#', '-t-#', 'x|']);
    runMarbles(({ record }) => {
      record(retrying(request$, policy(2)), symbol).toBe('@ 500ms t-#');
    });
  });

  it('gives up with the last error when the retries are used up', () => {
    const { request$, spans } = request(['#']);
    runMarbles(({ record, at }) => {
      record(retrying(request$, policy(2)), symbol).toBe('@ 499ms @ 999ms #');
      at(9000, () => expect(spans()).toHaveLength(3));
    });
  });

  it('does not retry at all where maxRetries is 0', () => {
    const { request$ } = request(['-#']);
    runMarbles(({ record }) => {
      record(retrying(request$, policy(0)), symbol).toBe('-#');
    });
  });

  it.each([
    ['that the provider will refuse again', busy({ retryable: false })],
    ['that is no error of a model', new Error('a mistake in a program')],
    ['that is no Error', 'boom'],
  ])('does not retry a failure %s', (_, error) => {
    const { request$ } = request(['-#'], error);
    runMarbles(({ record, at }) => {
      const recording = record(retrying(request$, policy(2)), symbol).toBe('-#');
      at(5, () => expect(recording.error).toBe(error));
    });
  });

  it('[G30] doubles the delay with each retry, up to 8 s', () => {
    const { request$ } = request(['#']);
    runMarbles(({ record, at }) => {
      const recording = record(retrying(request$, policy(6)), symbol);
      at(60_000, () => expect(delays(recording)).toEqual([500, 1000, 2000, 4000, 8000, 8000]));
    });
  });

  it('[G30] takes up to a quarter off each delay, so that many clients do not come back at once', () => {
    const random = [0, 0.5, 0.999];
    const { request$ } = request(['#']);
    runMarbles(({ record, at }) => {
      const recording = record(
        retrying(
          request$,
          policy(3, () => random.shift()!),
        ),
        symbol,
      );
      at(60_000, () => expect(delays(recording)).toEqual([500, 875, 1501]));
    });
  });

  it('waits as long as the provider asks for', () => {
    const { request$ } = request(['#', 't|'], busy({ retryAfter: 3000 }));
    runMarbles(({ record }) => {
      record(retrying(request$, policy(2)), symbol).toBe('@ 2999ms t|');
    });
  });

  it('ends the wait when the subscriber leaves', () => {
    const { request$, spans } = request(['-#', 't|']);
    runMarbles(({ record, at }) => {
      record(retrying(request$, policy(2)), symbol, '^ 99ms !').toBe('-@');
      at(9000, () => expect(spans()).toEqual(['^!']));
    });
  });

  it('sends nothing more when the subscriber leaves at the news of the retry', () => {
    const { request$, spans } = request(['-#', 't|']);
    runMarbles(({ record, at }) => {
      record(retrying(request$, policy(2)).pipe(take(1)), symbol).toBe('-(@|)');
      at(9000, () => expect(spans()).toEqual(['^!']));
    });
  });

  it('stops the attempt under way when the subscriber leaves', () => {
    const { request$, spans } = request(['#', '--t-t-t|']);
    runMarbles(({ record, at }) => {
      record(retrying(request$, policy(2)), symbol, '^ 502ms !').toBe('@ 501ms t');
      at(9000, () => expect(spans()[1]).toBe(' 500ms ^--!'));
    });
  });

  it('starts each subscription with all its retries', () => {
    const request$ = retrying(
      throwError(() => busy()),
      policy(1),
    );
    runMarbles(({ record }) => {
      record(request$, symbol).toBe('@ 499ms #');
      record(request$, symbol).toBe('@ 499ms #');
    });
  });

  it('adds nothing to a request that works', () => {
    const answer: ChatModelEvent = { type: 'partialResponse', text: 'x' };
    runMarbles(({ record }) => {
      record(retrying(of(answer), policy(2)), symbol).toBe('(x|)');
    });
  });
});
