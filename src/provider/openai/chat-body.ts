import { ChatModelError } from '../../chat/chat-model-error.ts';
import type { ChatRequest, ResponseFormat, ToolChoice } from '../../chat/chat-request.ts';
import type { ToolSpecification } from '../../chat/tool-specification.ts';
import { chatMessageJson } from './chat-message-json.ts';
import { wireName } from './wire-name.ts';

// A service hands in the same array for every request.
const serialisedTools = new WeakMap<readonly ToolSpecification[], string>();

/** The body of a chat-completions request, as JSON text; throws a `ChatModelError` on what can't be said in it. */
export function chatBody(request: ChatRequest, { speaksToOpenAi }: { readonly speaksToOpenAi: boolean }): string {
  const { messages, toolSpecifications = [], providerOptions = {} } = request;
  const settings = { ...settingsOf(request, speaksToOpenAi), ...providerOptions };
  const parts = [JSON.stringify(settings).slice(1, -1)];
  if (!('messages' in settings)) parts.push(`"messages":[${messages.map(chatMessageJson).join(',')}]`);
  if (toolSpecifications.length > 0 && !('tools' in settings)) parts.push(`"tools":${toolsJson(toolSpecifications)}`);
  return `{${parts.join(',')}}`;
}

function settingsOf(request: ChatRequest, speaksToOpenAi: boolean): Record<string, unknown> {
  const hasTools = Boolean(request.toolSpecifications?.length);
  // Other servers know only the old name; OpenAI refuses it for its newer models.
  const maxTokens = speaksToOpenAi ? 'max_completion_tokens' : 'max_tokens';
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
    response_format: request.responseFormat && responseFormat(request.responseFormat),
    // Refused in a request without tools.
    ...(hasTools && {
      tool_choice: request.toolChoice && toolChoice(request.toolChoice),
      parallel_tool_calls: request.parallelToolCalls,
    }),
  };
}

function reasoningEffort({ reasoning }: ChatRequest): string | undefined {
  if (reasoning?.budget === undefined) return reasoning?.effort;
  const message =
    'openai: the chat-completions API does not take reasoning.budget: set reasoning.effort, or what your server takes in providerOptions.';
  throw new ChatModelError(message, { kind: 'invalidRequest', provider: 'openai', retryable: false });
}

function responseFormat(format: ResponseFormat): unknown {
  if (format.type === 'text') return { type: 'text' };
  return format.schema
    ? { type: 'json_schema', json_schema: { name: format.name ?? 'response', schema: format.schema } }
    : { type: 'json_object' };
}

function toolChoice(choice: ToolChoice): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: wireName(choice.name) } };
}

function toolsJson(specifications: readonly ToolSpecification[]): string {
  const known = serialisedTools.get(specifications);
  if (known !== undefined) return known;
  const tools = specifications.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name: wireName(name), ...(description !== undefined && { description }), parameters },
  }));
  const json = JSON.stringify(tools);
  serialisedTools.set(specifications, json);
  return json;
}
