/**
 * The names of the GenAI semantic conventions, as of open-telemetry/semantic-conventions-genai v0.1.0 (status: Development).
 * Kept here because the package `@opentelemetry/semantic-conventions` has deprecated its own copies, and has the names of before
 * the move: `gen_ai.client.operation.duration` became `gen_ai.client.inference.duration`, `cache_creation` became `cache_write`.
 */
export const attribute = {
  agentName: 'gen_ai.agent.name',
  conversationId: 'gen_ai.conversation.id',
  errorType: 'error.type',
  finishReasons: 'gen_ai.response.finish_reasons',
  frequencyPenalty: 'gen_ai.request.frequency_penalty',
  inputMessages: 'gen_ai.input.messages',
  maxTokens: 'gen_ai.request.max_tokens',
  operationName: 'gen_ai.operation.name',
  outputMessages: 'gen_ai.output.messages',
  outputType: 'gen_ai.output.type',
  presencePenalty: 'gen_ai.request.presence_penalty',
  providerName: 'gen_ai.provider.name',
  reasoningLevel: 'gen_ai.request.reasoning.level',
  requestModel: 'gen_ai.request.model',
  responseId: 'gen_ai.response.id',
  responseModel: 'gen_ai.response.model',
  seed: 'gen_ai.request.seed',
  stopSequences: 'gen_ai.request.stop_sequences',
  stream: 'gen_ai.request.stream',
  systemInstructions: 'gen_ai.system_instructions',
  temperature: 'gen_ai.request.temperature',
  timeToFirstChunk: 'gen_ai.response.time_to_first_chunk',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolCallId: 'gen_ai.tool.call.id',
  toolDefinitions: 'gen_ai.tool.definitions',
  toolDescription: 'gen_ai.tool.description',
  toolName: 'gen_ai.tool.name',
  toolResult: 'gen_ai.tool.call.result',
  toolType: 'gen_ai.tool.type',
  topK: 'gen_ai.request.top_k',
  topP: 'gen_ai.request.top_p',
  usageCacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  usageCacheWriteTokens: 'gen_ai.usage.cache_write.input_tokens',
  usageInputTokens: 'gen_ai.usage.input_tokens',
  usageOutputTokens: 'gen_ai.usage.output_tokens',
  usageReasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
} as const;

/** What the conventions have no name for. */
export const ownAttribute = {
  compensationReason: 'toolstream.compensation.reason',
  retryAttempt: 'toolstream.retry.attempt',
  /** Seconds. */
  retryDelay: 'toolstream.retry.delay',
} as const;

export const operation = { agent: 'invoke_agent', chat: 'chat', tool: 'execute_tool' } as const;

export const errorType = { cancelled: 'cancelled', malformed: 'malformedResponse', toolError: 'tool_error' } as const;

export const metric = {
  agentDuration: 'gen_ai.invoke_agent.duration',
  chatDuration: 'gen_ai.client.inference.duration',
  timePerOutputChunk: 'gen_ai.client.inference.time_per_output_chunk',
  timeToFirstChunk: 'gen_ai.client.inference.time_to_first_chunk',
  toolDuration: 'gen_ai.execute_tool.duration',
} as const;
