import type { Observable, SchedulerLike } from 'rxjs';
import type { ChatModel, ChatModelEvent } from '../chat/chat-model.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import type { Content } from '../chat/content.ts';
import type { ToolExecutionRequest, UserMessage } from '../chat/message.ts';
import type { Value } from '../chat/value.ts';
import type { AiServiceListener } from '../event/event-hub.ts';
import type { ChatMemory } from '../memory/chat-memory.ts';
import type { ToolErrorHandler } from '../tool/error-handlers.ts';
import type { InvocationContext } from '../tool/invocation-context.ts';
import type { Logger, Tool, ToolContext, ToolInterceptor } from '../tool/types.ts';

/** What the user says: text, contents, or a whole message. */
export type Input = string | UserMessage | readonly Content[];

/** Wraps every request to the model. `next` sends the request that it is given; its Observable is cold. */
export type ModelInterceptor = (
  request: ChatRequest,
  context: InvocationContext,
  next: (request: ChatRequest) => Observable<ChatModelEvent>,
) => Observable<ChatModelEvent>;

export interface AiServiceOptions {
  readonly model: ChatModel;
  /** Told on every event as `invocation.serviceName`. */
  readonly name?: string;
  readonly systemMessage?: string | ((context: InvocationContext) => Value<string | undefined>);
  readonly tools?: readonly Tool[];
  /** One memory for all invocations. */
  readonly chatMemory?: ChatMemory;
  /** A memory for each `memoryId`; called once per id. */
  readonly chatMemoryProvider?: (memoryId: unknown) => ChatMemory;
  /** By default the model is told. */
  readonly toolArgumentsErrorHandler?: ToolErrorHandler;
  /** By default the invocation fails, unless the error is visible to the LLM. */
  readonly toolExecutionErrorHandler?: ToolErrorHandler;
  /** The text that the model is told when it calls a tool that there is not. By default the invocation fails. */
  readonly hallucinatedToolNameStrategy?: (request: ToolExecutionRequest, context: ToolContext) => Value<string>;
  /** How many rounds of tool calls the model may have before it must answer: 100 by default. */
  readonly maxToolCallingRoundTrips?: number;
  /** How many tools of a round may run at once: no limit by default, 1 for one after the other. */
  readonly toolConcurrency?: number;
  /** How long one execution of a tool may take, in ms. No limit by default. */
  readonly toolTimeout?: number;
  readonly interceptors?: { readonly model?: readonly ModelInterceptor[]; readonly tool?: readonly ToolInterceptor[] };
  /** Get every event, in order, before the next thing happens. */
  readonly listeners?: readonly AiServiceListener[];
  /** The console by default. */
  readonly logger?: Logger;
  /** Where time comes from: `asyncScheduler` by default. */
  readonly scheduler?: SchedulerLike;
  /** Ids of invocations and of calls that came without: random UUIDs by default. */
  readonly idGenerator?: () => string;
  /** Takes the caller's async context at subscription; what it returns runs work in it. By default Node's AsyncLocalStorage. */
  readonly captureContext?: () => (work: () => void) => void;
}

export interface InvocationOptions {
  /** Which conversation this belongs to; for `chatMemoryProvider` and for tools. */
  readonly memoryId?: unknown;
  /** For tools and callbacks, as `context.parameters`. */
  readonly parameters?: Readonly<Record<string, unknown>> | ReadonlyMap<string, unknown>;
  /** Instead of the service's model. */
  readonly model?: ChatModel;
  /** Merged into each request. A `toolChoice` that forces a tool holds for the first one. */
  readonly chatRequest?: Partial<ChatRequest>;
  /** Ends the invocation with an `InvocationCancelledError`. */
  readonly signal?: AbortSignal;
}
