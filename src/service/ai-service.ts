import { throwError, type Observable } from 'rxjs';
import type { $ZodObject } from 'zod/v4/core';
import { ConfigurationError } from '../chat/configuration-error.ts';
import type { JsonSchema } from '../chat/tool-specification.ts';
import type { AiServiceEvent } from '../event/ai-service-event.ts';
import { checkEvent } from '../event/check-event.ts';
import { eventHub } from '../event/event-hub.ts';
import type { ChatMemory } from '../memory/chat-memory.ts';
import type { Tool } from '../tool/types.ts';
import { invocation } from './invocation.ts';
import { memories } from './memories.ts';
import { modes } from './modes.ts';
import type { AiServiceOptions, Input, InvocationOptions } from './options.ts';
import type { Result } from './result.ts';
import type { DeepPartial } from './output/deep-partial.ts';
import { serviceTool, type ServiceToolDefinition } from './service-tool.ts';
import { isTextWhole, settings } from './settings.ts';
import { startInvocation, type Invocation } from './start-invocation.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { tokenStream, type TokenStream } from './token-stream.ts';
import { toolset } from './toolset.ts';
import { partialView, resultView, textView } from './views.ts';

/** A model with its tools, its memory and its manners, ready to be asked. */
export interface AiService<T = string> {
  /** Everything that happens, as it happens. Cold: each subscription is an invocation; with a chat memory there can be but one. */
  stream(input: Input, options?: InvocationOptions): Observable<AiServiceStreamingEvent>;
  /** The text alone, as it streams, of all rounds. What was shown can't be taken back: after a `retry` a broken round is shown once more. */
  text(input: Input, options?: InvocationOptions): Observable<string>;
  /** One value: the answer and what led to it. */
  result(input: Input, options?: InvocationOptions): Observable<Result<T>>;
  /** With `output`: the object as it grows, and in the end as the schema made it. */
  partial(input: Input, options?: InvocationOptions): Observable<DeepPartial<T>>;
  /** Runs now, whoever watches. */
  start(input: Input, options?: InvocationOptions): Invocation<T>;
  /** Calls back instead of streaming, with the defaults of that style: the model is told of failing tools, which run one by one. */
  tokenStream(input: Input, options?: InvocationOptions): TokenStream;
  /** What all invocations of this service tell those who look on. Hot. */
  readonly events$: Observable<AiServiceEvent>;
  /** Hands an event of one's own to those who look on; it becomes part of the summary of its invocation. Throws unless it is one. */
  fire(event: AiServiceEvent): void;
  /** The memory behind an id, if the service has memory. */
  chatMemory(id?: unknown): ChatMemory | undefined;
  /** Forgets the memory object of an id; the next invocation asks `chatMemoryProvider` again. The store is not touched. */
  evictChatMemory(id: unknown): void;
  /** This service as a tool of another one. Its own events are the tool's progress. */
  asTool<S extends $ZodObject | JsonSchema = JsonSchema>(definition: ServiceToolDefinition<S>): Tool;
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
export function aiService<T = string>(options: AiServiceOptions<T>): AiService<T> {
  const checked = settings(options);
  const hub = eventHub(checked.listeners ?? [], checked.logger);
  const known = memories(checked);
  const { toolProviders = [], toolSearchStrategy } = checked;
  const fixedTools = toolProviders.length === 0 && !toolSearchStrategy ? toolset(checked) : undefined;
  const service = { settings: checked, hub, memoryFor: known.get, fixedTools };
  const stream = (input: Input, invocationOptions: InvocationOptions = {}) =>
    invocation(service, modes.reactive, input, invocationOptions);
  return {
    stream,
    text: (input, invocationOptions = {}) =>
      textView(invocation(service, modes.text, input, invocationOptions), isTextWhole(checked)),
    result: (input, invocationOptions) => resultView<T>(stream(input, invocationOptions)),
    partial: (input, invocationOptions) => {
      const { outputFormat } = checked;
      return outputFormat ? partialView<T>(stream(input, invocationOptions), outputFormat) : throwError(() => withoutOutput());
    },
    start: (input, invocationOptions = {}) => startInvocation<T>(service, modes.reactive, input, invocationOptions),
    tokenStream: (input, invocationOptions = {}) =>
      tokenStream(invocation(service, modes.legacy, input, invocationOptions), checked.logger),
    events$: hub.events$,
    fire(event) {
      checkEvent(event);
      hub.fire(() => event);
    },
    chatMemory: known.get,
    evictChatMemory: known.evict,
    asTool: (definition) => serviceTool(service, definition),
  };
}

function withoutOutput(): ConfigurationError {
  return new ConfigurationError('aiService: partial() needs the option output, which says what the object is.');
}
