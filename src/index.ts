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
export { parseMessages } from './chat/parse-messages.ts';
export type { TokenUsage } from './chat/token-usage.ts';
export type { JsonSchema, ToolSpecification } from './chat/tool-specification.ts';
export { toObservable, type Value } from './chat/value.ts';

export { toolArgumentsErrorHandler, toolExecutionErrorHandler, type ToolErrorHandler } from './tool/error-handlers.ts';
export type { ToolErrorContext } from './tool/tool-error-context.ts';
export { executorTool } from './tool/executor-tool.ts';
export type { InvocationContext, InvocationParameters } from './tool/invocation-context.ts';
export {
  ToolArgumentsError,
  ToolExecutionError,
  ToolTimeoutError,
  UnknownToolError,
  type ArgumentIssue,
} from './tool/tool-errors.ts';
export { tool, type Args, type ToolDefinition } from './tool/tool.ts';
export type {
  Logger,
  Tool,
  ToolContext,
  ToolExecution,
  ToolExecutionResult,
  ToolExecutor,
  ToolInterceptor,
} from './tool/types.ts';
export { toolErrorVisibleToLlm, visibleMessage, type ToolErrorVisibleToLlm } from './tool/visible-to-llm.ts';

export { AiServiceEvent } from './event/ai-service-event.ts';
export type { AiServiceListener } from './event/event-hub.ts';
export {
  AiServiceCancelledEvent,
  AiServiceCompletedEvent,
  AiServiceErrorEvent,
  AiServiceStartedEvent,
} from './event/lifecycle-events.ts';
export { AiServiceRequestIssuedEvent, AiServiceResponseReceivedEvent } from './event/model-events.ts';
export { ofEvent } from './event/of-event.ts';
export { ToolExecutedEvent } from './event/tool-executed-event.ts';

export type { ChatMemory, ChatMemoryStore } from './memory/chat-memory.ts';
export { ChatMemoryBusyError } from './memory/in-turn.ts';
export { messageWindowMemory, type MessageWindowOptions } from './memory/message-window-memory.ts';
export { tokenWindowMemory, type TokenWindowOptions } from './memory/token-window-memory.ts';

export { aiService, type AiService } from './service/ai-service.ts';
export type { AiServiceOptions, Input, InvocationOptions, ModelInterceptor } from './service/options.ts';
export type { Result } from './service/result.ts';
export { InvocationCancelledError, ToolRoundTripsExceededError } from './service/service-errors.ts';
export type { Invocation } from './service/start-invocation.ts';
export type { AiServiceStreamingEvent } from './service/streaming-event.ts';
