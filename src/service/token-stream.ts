import type { Observable } from 'rxjs';
import { ConfigurationError } from '../chat/configuration-error.ts';
import { requireFunction } from '../chat/option-checks.ts';
import { quietly } from '../tool/quietly.ts';
import type { Logger } from '../tool/types.ts';
import { callBack, type TokenStreamCallbacks } from './call-back.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';

/**
 * An invocation that calls back. Register each callback at most once, one of `onError` and `ignoreErrors`, then `start()`.
 *
 * Callbacks may be async; what follows does not wait for them. One that throws, rejects or errors gives the invocation up, which
 * those who look on see as cancelled. The first failure, of whatever kind, is told to `onError`; what fails
 * after it, `onError` included, is logged.
 *
 * @example
 * service
 *   .tokenStream('What is the weather in Paris?')
 *   .onPartialResponse((text) => process.stdout.write(text))
 *   .onError((error) => console.error(error))
 *   .start();
 */
export interface TokenStream {
  /** The text as it streams, that beside tool calls included; in one piece at the end where it was held back until then. */
  onPartialResponse(callback: TokenStreamCallbacks['onPartialResponse']): this;
  onPartialThinking(callback: TokenStreamCallbacks['onPartialThinking']): this;
  onPartialToolCall(callback: TokenStreamCallbacks['onPartialToolCall']): this;
  /** What retrieval found for the user's message. */
  onRetrieved(callback: TokenStreamCallbacks['onRetrieved']): this;
  /** The answer of each round that called tools. They may have run before it. */
  onIntermediateResponse(callback: TokenStreamCallbacks['onIntermediateResponse']): this;
  beforeToolExecution(callback: TokenStreamCallbacks['beforeToolExecution']): this;
  /** A tool has ended, well or not. */
  onToolExecuted(callback: TokenStreamCallbacks['onToolExecuted']): this;
  /** The answer, with the token usage of all rounds. */
  onCompleteResponse(callback: TokenStreamCallbacks['onCompleteResponse']): this;
  onError(callback: TokenStreamCallbacks['onError']): this;
  /** Errors are only logged, as warnings. */
  ignoreErrors(): this;
  /**
   * Begins. Throws a `ConfigurationError` when it was called before, and when the callbacks are not what they must be.
   *
   * After `cancel()` nothing is called any more. What a model answers at once is over when `start()` returns: a `signal` can
   * cancel that too.
   */
  start(): { cancel(): void };
}

/** Plays the events of an invocation, which is subscribed to by `start()`, to callbacks. */
export function tokenStream(events$: Observable<AiServiceStreamingEvent>, logger: Logger): TokenStream {
  const callbacks: { -readonly [Name in keyof TokenStreamCallbacks]?: TokenStreamCallbacks[Name] } = {};
  const registered: string[] = [];
  let hasStarted = false;

  const note = (name: string) => {
    if (hasStarted) throw new ConfigurationError(`tokenStream: ${name} was called after start(); call it before.`);
    registered.push(name);
  };
  const register =
    <Name extends keyof TokenStreamCallbacks>(name: Name) =>
    (callback: TokenStreamCallbacks[Name]): TokenStream => {
      requireFunction('tokenStream', name, callback);
      note(name);
      callbacks[name] = callback;
      return stream;
    };
  const stream: TokenStream = {
    onPartialResponse: register('onPartialResponse'),
    onPartialThinking: register('onPartialThinking'),
    onPartialToolCall: register('onPartialToolCall'),
    onRetrieved: register('onRetrieved'),
    onIntermediateResponse: register('onIntermediateResponse'),
    beforeToolExecution: register('beforeToolExecution'),
    onToolExecuted: register('onToolExecuted'),
    onCompleteResponse: register('onCompleteResponse'),
    onError: register('onError'),
    ignoreErrors() {
      note('ignoreErrors');
      callbacks.onError ??= (error) => quietly(() => logger.warn('A token stream failed, and its errors are ignored.', error));
      return stream;
    },
    start() {
      if (hasStarted) throw new ConfigurationError('tokenStream: start() was called twice; get another stream for another run.');
      checkRegistered(registered);
      hasStarted = true;
      return callBack(events$, callbacks, logger);
    },
  };
  return stream;
}

function checkRegistered(registered: readonly string[]): void {
  const again = registered.find((name, place) => registered.indexOf(name) !== place);
  if (again) throw new ConfigurationError(`tokenStream: ${again} was called twice; call it at most once.`);
  const [hears, ignores] = ['onError', 'ignoreErrors'].map((name) => registered.includes(name));
  if (hears === ignores) {
    const what = hears ? 'onError and ignoreErrors exclude each other' : 'neither onError nor ignoreErrors was called';
    throw new ConfigurationError(`tokenStream: ${what}; call one of the two before start().`);
  }
}
