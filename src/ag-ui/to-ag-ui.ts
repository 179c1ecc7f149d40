import { Observable, type OperatorFunction } from 'rxjs';
import { checkFlag, checkFunction, checkKnownOptions, checkText, invalidOption } from '../chat/option-checks.ts';
import { randomId } from '../chat/random-id.ts';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';
import type { AgUiEvent } from './ag-ui-event.ts';
import type { AgUiMessage } from './ag-ui-message.ts';
import { approvalInterrupt } from './approval-interrupt.ts';
import { runWriter } from './run-writer.ts';

export interface ToAgUiOptions {
  /** As the client has sent it; a generated one by default. */
  readonly threadId?: string | undefined;
  /** As the client has sent it; a generated one by default. */
  readonly runId?: string | undefined;
  /** The messages that the client has sent: with them a round that is asked for again can be taken back at the client. */
  readonly messages?: readonly AgUiMessage[] | undefined;
  /**
   * Whether to end the run where nothing goes on but the waiting for a person: by default. Otherwise it stays open, and a CUSTOM event
   * alone tells of the waiting.
   */
  readonly interrupts?: boolean | undefined;
  /** What the client is told of an error: its message by default. */
  readonly errorMessage?: ((error: Error) => string) | undefined;
  /** For the ids that are not given: random UUIDs by default. */
  readonly idGenerator?: (() => string) | undefined;
}

const known: readonly (keyof ToAgUiOptions)[] = ['threadId', 'runId', 'messages', 'interrupts', 'errorMessage', 'idGenerator'];

/**
 * The events of an invocation as those of an AG-UI run: RUN_STARTED at once, and one RUN_FINISHED or RUN_ERROR at the end. Never errors.
 *
 *     events    ---t--t--A--a--z--f|
 *     toAgUi()  r--T--t--C--R--Z--(e|)
 *
 * Throws a `ConfigurationError` on options that can't work.
 *
 * @example
 * assistant.stream('Hello').pipe(toAgUi({ threadId, runId }));
 */
export function toAgUi(options: ToAgUiOptions = {}): OperatorFunction<AiServiceStreamingEvent, AgUiEvent> {
  checkKnownOptions('toAgUi', options, known);
  if (options.threadId !== undefined) checkText('toAgUi', 'threadId', options.threadId);
  if (options.runId !== undefined) checkText('toAgUi', 'runId', options.runId);
  if (options.messages !== undefined && !Array.isArray(options.messages))
    throw invalidOption('toAgUi', 'messages', options.messages, 'it must be a list of messages');
  checkFlag('toAgUi', 'interrupts', options.interrupts);
  checkFunction('toAgUi', 'errorMessage', options.errorMessage);
  checkFunction('toAgUi', 'idGenerator', options.idGenerator);
  const { messages, interrupts = true, errorMessage = ({ message }: Error) => message, idGenerator = randomId } = options;
  return (events$) =>
    new Observable((subscriber) => {
      const writer = runWriter({
        emit(event) {
          subscriber.next(event);
          if (event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR') subscriber.complete();
        },
        interrupt: interrupts ? approvalInterrupt() : undefined,
        errorMessage,
      });
      writer.start({ threadId: options.threadId ?? idGenerator(), runId: options.runId ?? idGenerator() }, messages);
      subscribeEarly(events$, writer, (subscription) => subscriber.add(subscription));
    });
}
