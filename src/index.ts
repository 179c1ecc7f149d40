export type { ChatModel, ChatModelEvent } from './chat/chat-model.ts';
export { ChatModelError, type ChatModelErrorKind } from './chat/chat-model-error.ts';
export type { ChatRequest, Reasoning, ResponseFormat, ToolChoice } from './chat/chat-request.ts';
export type { ChatResponse, FinishReason } from './chat/chat-response.ts';
export { ConfigurationError } from './chat/configuration-error.ts';
export type { AudioContent, Content, ImageContent, PdfContent, TextContent, VideoContent } from './chat/content.ts';
export type {
  AiMessage,
  ChatMessage,
  SystemMessage,
  ToolExecutionRequest,
  ToolExecutionResultMessage,
  UserMessage,
} from './chat/message.ts';
export { guardrail, type GuardrailResult, type InputGuardrailResult } from './chat/guardrail-result.ts';
export { parseMessages } from './chat/parse-messages.ts';
export type { TokenUsage } from './chat/token-usage.ts';
export type { JsonSchema, ToolSpecification } from './chat/tool-specification.ts';
export { toObservable, type Value } from './chat/value.ts';

export { CompensateFor } from './tool/compensate-for.ts';
export { chatDecisionModel, type ChatDecisionModelOptions } from './tool/decision/chat-decision-model.ts';
export {
  decisionModelFilteringToolProvider,
  type DecisionFallbackStrategy,
  type DecisionModelFilteringToolProviderOptions,
} from './tool/decision/decision-model-filtering-tool-provider.ts';
export { DecisionModelError } from './tool/decision/decision-model-error.ts';
export type { DecisionAnswer, DecisionModel, DecisionQuestion, DecisionRequest } from './tool/decision/decision-model.ts';
export { toolArgumentsErrorHandler, toolExecutionErrorHandler, type ToolErrorHandler } from './tool/error-handlers.ts';
export { executorTool } from './tool/executor-tool.ts';
export {
  hallucinatedToolNameStrategy,
  type HallucinatedToolNameContext,
  type HallucinatedToolNameStrategy,
} from './tool/hallucinated-tool-name-strategy.ts';
export type { InvocationContext, InvocationParameters } from './tool/invocation-context.ts';
export { decisionToolSearch, type DecisionToolSearchOptions } from './tool/search/decision-tool-search.ts';
export type { EmbeddingModel } from './tool/search/embedding-model.ts';
export { keywordToolSearch, type KeywordToolSearchOptions } from './tool/search/keyword-tool-search.ts';
export type { ToolSearchRequest, ToolSearchResult, ToolSearchStrategy } from './tool/search/tool-search-strategy.ts';
export { vectorToolSearch, type VectorToolSearch, type VectorToolSearchOptions } from './tool/search/vector-tool-search.ts';
export { Tool, type ToolDecoratorOptions } from './tool/tool-decorator.ts';
export type { ToolErrorContext } from './tool/tool-error-context.ts';
export {
  ToolArgumentsError,
  ToolExecutionError,
  ToolTimeoutError,
  UnknownToolError,
  type ArgumentIssue,
} from './tool/tool-errors.ts';
export type { ToolProvider, ToolProviderRequest } from './tool/tool-provider.ts';
export { tool, type Args, type Settled, type ToolDefinition } from './tool/tool.ts';
export { toolsOf } from './tool/tools-of.ts';
export type {
  CompensationReason,
  ExecutionOrder,
  Logger,
  ReturnBehavior,
  SearchBehavior,
  ToolContext,
  ToolExecution,
  ToolExecutionResult,
  ToolExecutor,
  ToolInterceptor,
} from './tool/types.ts';
export { toolErrorVisibleToLlm, visibleMessage, type ToolErrorVisibleToLlm } from './tool/visible-to-llm.ts';

export { AiServiceEvent } from './event/ai-service-event.ts';
export type { AiServiceListener } from './event/event-hub.ts';
export { InputGuardrailExecutedEvent, OutputGuardrailExecutedEvent } from './event/guardrail-events.ts';
export { AiServiceInvocationSummaryEvent } from './event/invocation-summary-event.ts';
export {
  AiServiceCancelledEvent,
  AiServiceCompletedEvent,
  AiServiceErrorEvent,
  AiServiceStartedEvent,
} from './event/lifecycle-events.ts';
export { AiServiceRequestIssuedEvent, AiServiceResponseReceivedEvent } from './event/model-events.ts';
export { ofEvent } from './event/of-event.ts';
export { ToolCompensatedEvent } from './event/tool-compensated-event.ts';
export { ToolExecutedEvent } from './event/tool-executed-event.ts';

export type { ChatMemory, ChatMemoryStore } from './memory/chat-memory.ts';
export { ChatMemoryBusyError } from './memory/in-turn.ts';
export { messageWindowMemory, type MessageWindowOptions } from './memory/message-window-memory.ts';
export { tokenWindowMemory, type TokenWindowOptions } from './memory/token-window-memory.ts';

export { aiService, type AiService } from './service/ai-service.ts';
export { InputGuardrailError, OutputGuardrailError, type GuardrailFailure } from './service/guardrail/guardrail-errors.ts';
export type {
  InputGuardrail,
  InputGuardrailRequest,
  OutputGuardrail,
  OutputGuardrailRequest,
} from './service/guardrail/guardrail.ts';
export type { LimitName, Limits } from './service/limits.ts';
export type { AiServiceOptions, ApprovalDecision, Input, InvocationOptions, ModelInterceptor } from './service/options.ts';
export type { DeepPartial } from './service/output/deep-partial.ts';
export { StructuredOutputError } from './service/output/structured-output-error.ts';
export type { Result } from './service/result.ts';
export type {
  Augmentation,
  ContentRetriever,
  RetrievalAugmentor,
  RetrievalQuery,
  RetrievalRequest,
} from './service/retrieval/content-retriever.ts';
export {
  ApprovalRequiredError,
  InvocationCancelledError,
  LimitExceededError,
  ToolRoundTripsExceededError,
} from './service/service-errors.ts';
export type { ServiceToolDefinition } from './service/service-tool.ts';
export type { Invocation } from './service/start-invocation.ts';
export type { AiServiceStreamingEvent } from './service/streaming-event.ts';
export type { TokenStream } from './service/token-stream.ts';
