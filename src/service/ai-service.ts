import type { Observable } from 'rxjs';
import type { AiServiceEvent } from '../event/ai-service-event.ts';
import { eventHub } from '../event/event-hub.ts';
import type { ChatMemory } from '../memory/chat-memory.ts';
import { invocation } from './invocation.ts';
import { memories } from './memories.ts';
import { modes } from './modes.ts';
import type { AiServiceOptions, Input, InvocationOptions } from './options.ts';
import type { Result } from './result.ts';
import { settings } from './settings.ts';
import { startInvocation, type Invocation } from './start-invocation.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { resultView, textView } from './views.ts';

/** A model with its tools, its memory and its manners, ready to be asked. */
export interface AiService<T = string> {
  /** Everything that happens, as it happens. Cold: each subscription is an invocation; with a chat memory there can be but one. */
  stream(input: Input, options?: InvocationOptions): Observable<AiServiceStreamingEvent>;
  /** The text alone, as it streams. */
  text(input: Input, options?: InvocationOptions): Observable<string>;
  /** One value: the answer and what led to it. */
  result(input: Input, options?: InvocationOptions): Observable<Result<T>>;
  /** Runs now, whoever watches. */
  start(input: Input, options?: InvocationOptions): Invocation<T>;
  /** What all invocations of this service tell those who look on. Hot. */
  readonly events$: Observable<AiServiceEvent>;
  /** The memory behind an id, if the service has memory. */
  chatMemory(id?: unknown): ChatMemory | undefined;
  /** Forgets the memory object of an id; the next invocation asks `chatMemoryProvider` again. The store is not touched. */
  evictChatMemory(id: unknown): void;
}

/**
 * Makes a service that asks the model, runs the tools that it calls, and goes on until it answers.
 *
 * Throws a `ConfigurationError` when the options can't work; all that goes wrong later arrives as an `error` notification.
 *
 *     model        -t-t-A------B--|          -t-t-|
 *     tools             a-----r   b--r
 *     stream(…)    -t-t-(Ab)--a-(Bb)(ia)     -t-t-(f|)
 *
 * @example
 * const assistant = aiService({ model: openAiChat({ modelName: 'gpt-5-mini', apiKey }), tools: [weather] });
 * assistant.text('What is the weather in Paris?').subscribe((text) => process.stdout.write(text));
 */
export function aiService(options: AiServiceOptions): AiService {
  const checked = settings(options);
  const hub = eventHub(checked.listeners ?? [], checked.logger);
  const known = memories(checked);
  const service = { settings: checked, hub, memoryFor: known.get };
  const stream = (input: Input, invocationOptions: InvocationOptions = {}) =>
    invocation(service, modes.reactive, input, invocationOptions);
  return {
    stream,
    text: (input, invocationOptions) => textView(stream(input, invocationOptions)),
    result: (input, invocationOptions) => resultView(stream(input, invocationOptions)),
    start: (input, invocationOptions = {}) => startInvocation(service, modes.reactive, input, invocationOptions),
    events$: hub.events$,
    chatMemory: known.get,
    evictChatMemory: known.evict,
  };
}
