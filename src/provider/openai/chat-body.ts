import type { ChatRequest, ToolChoice } from '../../chat/chat-request.ts';
import type { ChatMessage } from '../../chat/message.ts';
import type { ToolSpecification } from '../../chat/tool-specification.ts';
import { jsonBody } from '../json-body.ts';
import { notTaken } from '../request-error.ts';
import { serialisedOnce } from '../serialised-once.ts';
import { wireJson } from '../wire-json.ts';
import { wireName } from '../wire-name.ts';
import { chatApi } from './chat-api.ts';
import { functionTool } from './function-tool.ts';
import { schemaFormat } from './schema-format.ts';

/** What differs between the servers that speak this API. */
export interface ChatDialect {
  readonly speaksToOpenAi: boolean;
  readonly strict: boolean;
  readonly messagesJson: (messages: readonly ChatMessage[]) => string;
}

/** The body of a chat-completions request, as JSON text; throws a `ChatModelError` on what can't be said in it. */
export function chatBody(request: ChatRequest, dialect: ChatDialect): string {
  const { messages, toolSpecifications = [], providerOptions } = request;
  const toolsJson = dialect.strict ? strictToolsJson : plainToolsJson;
  return jsonBody(settingsOf(request, dialect), providerOptions, {
    messages: () => dialect.messagesJson(messages),
    ...(toolSpecifications.length > 0 && { tools: () => toolsJson(toolSpecifications) }),
  });
}

function settingsOf(request: ChatRequest, { speaksToOpenAi, strict }: ChatDialect): Record<string, unknown> {
  const hasTools = Boolean(request.toolSpecifications?.length);
  // Other servers know only the old name; OpenAI refuses it for its newer models, whoever stands between.
  const maxTokens = speaksToOpenAi || newer.test(request.modelName ?? '') ? 'max_completion_tokens' : 'max_tokens';
  return {
    model: request.modelName,
    stream: true,
    stream_options: { include_usage: true },
    temperature: request.temperature,
    top_p: request.topP,
    top_k: request.topK,
    [maxTokens]: request.maxOutputTokens,
    stop: request.stopSequences,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    seed: request.seed,
    reasoning_effort: reasoningEffort(request),
    response_format: responseFormat(request, strict),
    // Refused in a request without tools.
    ...(hasTools && {
      tool_choice: request.toolChoice && toolChoice(request.toolChoice),
      parallel_tool_calls: request.parallelToolCalls,
    }),
  };
}

/** OpenAI's models that refuse the old name. */
const newer = /(^|\/)(gpt-[5-9]|o\d)/;

function reasoningEffort({ reasoning }: ChatRequest): string | undefined {
  if (reasoning?.budget === undefined) return reasoning?.effort;
  throw notTaken(chatApi, 'reasoning.budget', 'set reasoning.effort, or what your server takes in providerOptions');
}

function responseFormat({ responseFormat: format }: ChatRequest, strict: boolean): unknown {
  if (format?.type !== 'json') return format && { type: 'text' };
  if (!format.schema) return { type: 'json_object' };
  return { type: 'json_schema', json_schema: schemaFormat(format.name, format.schema, strict) };
}

function toolChoice(choice: ToolChoice): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: wireName(choice.name) } };
}

// A service hands in the same array for every request.
const plainToolsJson = serialisedOnce((tools: readonly ToolSpecification[]) => toolsJson(tools, false));
const strictToolsJson = serialisedOnce((tools: readonly ToolSpecification[]) => toolsJson(tools, true));

function toolsJson(tools: readonly ToolSpecification[], strict: boolean): string {
  return wireJson(tools.map((tool) => ({ type: 'function', function: functionTool(tool, strict) })));
}
