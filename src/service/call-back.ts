import { Subscription, type Observable } from 'rxjs';
import type { ChatResponse } from '../chat/chat-response.ts';
import type { Content } from '../chat/content.ts';
import { jsonText } from '../chat/json-safe.ts';
import type { ToolExecutionRequest } from '../chat/message.ts';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import { isPromiseLike, isSubscribable, toObservable } from '../chat/value.ts';
import { quietly } from '../tool/quietly.ts';
import { isError } from '../tool/tool-errors.ts';
import type { Logger, ToolExecution } from '../tool/types.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';

/** A piece of a tool call as the model writes it. */
interface PartialToolCall {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly partialArguments: string;
}

export interface TokenStreamCallbacks {
  readonly onPartialResponse: (text: string) => unknown;
  readonly onPartialThinking: (text: string) => unknown;
  readonly onPartialToolCall: (partial: PartialToolCall) => unknown;
  readonly onRetrieved: (contents: readonly Content[]) => unknown;
  readonly onIntermediateResponse: (response: ChatResponse) => unknown;
  readonly beforeToolExecution: (request: ToolExecutionRequest) => unknown;
  readonly onToolExecuted: (execution: ToolExecution) => unknown;
  readonly onCompleteResponse: (response: ChatResponse) => unknown;
  readonly onError: (error: Error) => unknown;
}

/**
 * Subscribes to the events of an invocation and calls back with them. `cancel()` stops all, and nothing is called any more.
 *
 * A callback that throws, or whose promise or Observable errors, gives the invocation up. Only the first failure is told;
 * what fails behind it, or behind a cancel, is logged.
 */
export function callBack(
  events$: Observable<AiServiceStreamingEvent>,
  callbacks: Partial<TokenStreamCallbacks>,
  logger: Logger,
): { cancel(): void } {
  const invocation = new Subscription();
  /** What callbacks have begun and not ended. */
  const work = new Subscription();
  let isCancelled = false;
  let hasFailed = false;
  /** The round whose text has gone out piece by piece. */
  let streamedRound: number | undefined;

  const call = <Name extends keyof TokenStreamCallbacks>(name: Name, value: Parameters<TokenStreamCallbacks[Name]>[0]) => {
    const callback = callbacks[name] as ((value: unknown) => unknown) | undefined;
    const failed = (thrown: unknown) =>
      fail(isError(thrown) ? thrown : new Error(`${name} threw ${jsonText(thrown)}.`, { cause: thrown }));
    try {
      const returned = callback?.(value);
      if (isSubscribable(returned) || isPromiseLike(returned)) work.add(toObservable(returned).subscribe({ error: failed }));
    } catch (thrown) {
      failed(thrown);
    }
  };
  const fail = (error: Error) => {
    if (isCancelled || hasFailed) return quietly(() => logger.error('A callback of a token stream failed after the end.', error));
    hasFailed = true;
    invocation.unsubscribe();
    call('onError', error);
  };
  const tell: typeof call = (name, value) => {
    if (!isCancelled && !hasFailed) call(name, value);
  };
  const next = (event: AiServiceStreamingEvent) => {
    switch (event.type) {
      case 'partialResponse':
        streamedRound = event.round;
        return tell('onPartialResponse', event.text);
      case 'partialThinking':
        return tell('onPartialThinking', event.text);
      case 'partialToolCall': {
        const { index, id, name, partialArguments } = event;
        return tell('onPartialToolCall', { index, id, name, partialArguments });
      }
      case 'retrievedContents':
        return tell('onRetrieved', event.contents);
      case 'intermediateResponse':
        return tell('onIntermediateResponse', event.response);
      case 'beforeToolExecution':
        return tell('beforeToolExecution', event.request);
      case 'afterToolExecution':
        return tell('onToolExecuted', event.execution);
      case 'finalResponse': {
        const { text } = event.response.aiMessage;
        if (text && event.round !== streamedRound) tell('onPartialResponse', text);
        tell('onCompleteResponse', event.response);
      }
    }
  };
  subscribeEarly(events$, { next, error: fail }, (subscription) => invocation.add(subscription));
  return {
    cancel() {
      isCancelled = true;
      invocation.unsubscribe();
      work.unsubscribe();
    },
  };
}
