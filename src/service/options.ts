import type { Observable, SchedulerLike } from 'rxjs';
import type { $ZodType } from 'zod/v4/core';
import type { ChatModel, ChatModelEvent } from '../chat/chat-model.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import type { Content } from '../chat/content.ts';
import type { ToolExecutionRequest, UserMessage } from '../chat/message.ts';
import type { Value } from '../chat/value.ts';
import type { AiServiceListener } from '../event/event-hub.ts';
import type { ChatMemory } from '../memory/chat-memory.ts';
import type { ToolErrorHandler } from '../tool/error-handlers.ts';
import type { InvocationContext } from '../tool/invocation-context.ts';
import type { HallucinatedToolNameStrategy } from '../tool/hallucinated-tool-name-strategy.ts';
import type { ToolSearchStrategy } from '../tool/search/tool-search-strategy.ts';
import type { ToolProvider } from '../tool/tool-provider.ts';
import type { Logger, Tool, ToolContext, ToolExecution, ToolInterceptor } from '../tool/types.ts';
import type { InputGuardrail, OutputGuardrail } from './guardrail/guardrail.ts';
import type { Limits } from './limits.ts';
import type { ContentRetriever, RetrievalAugmentor } from './retrieval/content-retriever.ts';

/** What the user says: text, contents, or a whole message. */
export type Input = string | UserMessage | readonly Content[];

/** Wraps every request to the model. `next` sends the request that it is given to `model`; its Observable is cold. */
export type ModelInterceptor = (
  request: ChatRequest,
  context: InvocationContext,
  next: (request: ChatRequest) => Observable<ChatModelEvent>,
  model: ChatModel,
) => Observable<ChatModelEvent>;

/** Whether a call may run; the reason of a refusal is told to the model. */
export type ApprovalDecision = boolean | { readonly approved: boolean; readonly reason?: string | undefined };

export interface AiServiceOptions<T = string> {
  readonly model: ChatModel;
  /** Told on every event as `invocation.serviceName`. */
  readonly name?: string | undefined;
  readonly systemMessage?: string | ((context: InvocationContext) => Value<string | undefined>) | undefined;
  /** Tools, and objects with methods that are decorated as such. */
  readonly tools?: readonly (Tool | object)[] | undefined;
  /** Decide for each invocation which further tools there are. */
  readonly toolProviders?: readonly ToolProvider[] | undefined;
  /** Hides all tools but the always visible ones until the model has found them. */
  readonly toolSearchStrategy?: ToolSearchStrategy | undefined;
  /** What the answer must be: it is asked for, checked, and asked for once more where it does not fit. */
  readonly output?: $ZodType<T> | undefined;
  /** One memory for all invocations. */
  readonly chatMemory?: ChatMemory | undefined;
  /** A memory for each `memoryId`; called once per id. */
  readonly chatMemoryProvider?: ((memoryId: unknown) => ChatMemory) | undefined;
  /** By default the model is told. */
  readonly toolArgumentsErrorHandler?: ToolErrorHandler | undefined;
  /** By default the invocation fails, unless the error is visible to the LLM. */
  readonly toolExecutionErrorHandler?: ToolErrorHandler | undefined;
  /** The text that the model is told when it calls a tool that there is not. By default the invocation fails. */
  readonly hallucinatedToolNameStrategy?: HallucinatedToolNameStrategy | undefined;
  /** Undoes what tools have done, by their `compensate`, when a later one fails or the invocation does. Off by default. */
  readonly compensateOnToolErrors?: boolean | undefined;
  /** How many rounds of tool calls the model may have before it must answer: 100 by default. */
  readonly maxToolCallingRoundTrips?: number | undefined;
  /** How many tools of a round may run at once: no limit by default, 1 for one after the other. */
  readonly toolConcurrency?: number | undefined;
  /** How long one execution of a tool may take, in ms. No limit by default. */
  readonly toolTimeout?: number | undefined;
  /** How many characters of a tool's result the model gets. No limit by default. */
  readonly maxToolResultLength?: number | undefined;
  /** How often a round may be asked for again when its stream breaks: never by default. */
  readonly roundRetries?: number | undefined;
  readonly limits?: Limits | undefined;
  /** Decides on the calls of tools that need an approval. */
  readonly approveToolExecution?: ((request: ToolExecutionRequest, context: ToolContext) => Value<ApprovalDecision>) | undefined;
  /** Called, and waited for, before a tool runs. What it throws fails the invocation. */
  readonly beforeToolExecution?: ((request: ToolExecutionRequest, context: ToolContext) => Value<unknown>) | undefined;
  /** Called, and waited for, when a tool has ended. What it throws fails the invocation. */
  readonly afterToolExecution?: ((execution: ToolExecution, context: ToolContext) => Value<unknown>) | undefined;
  /** Changes each request, and has the last word on what the service asks; model interceptors stand behind it. */
  readonly chatRequestTransformer?: ((request: ChatRequest, context: InvocationContext) => Value<ChatRequest>) | undefined;
  /** Finds what helps to answer; it is put into the user's message. */
  readonly contentRetriever?: ContentRetriever | undefined;
  /** Instead of a `contentRetriever`: makes the user's message into the one that the model gets. */
  readonly retrievalAugmentor?: RetrievalAugmentor | undefined;
  /** Whether the chat memory keeps the user's message with what was retrieved: by default it does. */
  readonly storeRetrievedContentInChatMemory?: boolean | undefined;
  /** Judge the user's message, with what was retrieved for it, before the model gets it. */
  readonly inputGuardrails?: readonly InputGuardrail[] | undefined;
  /** Judge the answer before anybody gets it. With them no text streams: it comes in one piece, when it has passed. */
  readonly outputGuardrails?: readonly OutputGuardrail[] | undefined;
  /** How often an answer may be asked for again by an output guardrail: 2 by default. */
  readonly maxOutputGuardrailRetries?: number | undefined;
  readonly interceptors?:
    | { readonly model?: readonly ModelInterceptor[] | undefined; readonly tool?: readonly ToolInterceptor[] | undefined }
    | undefined;
  /** Get every event, in order, before the next thing happens. */
  readonly listeners?: readonly AiServiceListener[] | undefined;
  /** The console by default. */
  readonly logger?: Logger | undefined;
  /** Where time comes from: `asyncScheduler` by default. */
  readonly scheduler?: SchedulerLike | undefined;
  /** Ids of invocations and of calls that came without: random UUIDs by default. */
  readonly idGenerator?: (() => string) | undefined;
  /** Takes the caller's async context at subscription; what it returns runs work in it. By default Node's AsyncLocalStorage. */
  readonly captureContext?: (() => (work: () => void) => void) | undefined;
}

export interface InvocationOptions {
  /** Which conversation this belongs to; for `chatMemoryProvider` and for tools. */
  readonly memoryId?: unknown;
  /** For tools and callbacks, as `context.parameters`. */
  readonly parameters?: Readonly<Record<string, unknown>> | ReadonlyMap<string, unknown>;
  /** Instead of the service's model. */
  readonly model?: ChatModel | undefined;
  /** Merged into each request. A `toolChoice` that forces a tool holds for the first one. */
  readonly chatRequest?: Partial<ChatRequest> | undefined;
  /** Ends the invocation with an `InvocationCancelledError`. */
  readonly signal?: AbortSignal | undefined;
}
