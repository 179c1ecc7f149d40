export { aiServiceResource, type AiServiceResource, type AiServiceResourceOptions } from './ai-service-resource.ts';
export type { Chat, ChatOptions, ChatView, ToolApproval } from './chat/chat.ts';
export type { Flattening } from './chat/flattening.ts';
export type { ChatStatus } from './chat/chat-state.ts';
export type {
  UiAssistantMessage,
  UiMessage,
  UiPart,
  UiText,
  UiThinking,
  UiToolCall,
  UiToolPart,
  UiUserMessage,
} from './chat/ui-message.ts';
export { withName, withServerRendering, withTokensPerFrame, type AiServiceFeature } from './features.ts';
export { injectAiService } from './inject-ai-service.ts';
export { injectChat } from './inject-chat.ts';
export { injectableTool } from './injectable-tool.ts';
export { provideAiService } from './provide-ai-service.ts';
export type { ServiceOptions } from './provided-service.ts';
export type { Reactive } from './reactive.ts';
