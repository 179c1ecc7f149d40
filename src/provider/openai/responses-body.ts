import type { ChatRequest, ResponseFormat, ToolChoice } from '../../chat/chat-request.ts';
import type { ToolSpecification } from '../../chat/tool-specification.ts';
import { jsonBody } from '../json-body.ts';
import { checkSettings, notTaken } from '../request-error.ts';
import { serialisedOnce } from '../serialised-once.ts';
import { wireJson } from '../wire-json.ts';
import { wireName } from '../wire-name.ts';
import { functionTool } from './function-tool.ts';
import { schemaFormat } from './schema-format.ts';
import { responsesApi } from './responses-api.ts';
import { responsesInputJson } from './responses-items-json.ts';

/** The settings that this API has no word for, and what to do instead. */
const remedies: Readonly<Partial<Record<keyof ChatRequest, string>>> = {
  topK: 'set topP or temperature',
  stopSequences: 'use openAiChat, whose API takes them',
  frequencyPenalty: 'use openAiChat, whose API takes it',
  presencePenalty: 'use openAiChat, whose API takes it',
  seed: 'use openAiChat, whose API takes it',
};

/** OpenAI's models that don't reason. They refuse a request that asks for their reasoning. */
const unreasoning = /(^|[/.:])(gpt-3|gpt-4|chatgpt-|gpt-5[.\d]*-chat)/;

/** The body of a request to the Responses API, as JSON text; throws a `ChatModelError` on what can't be said in it. */
export function responsesBody(request: ChatRequest, strict: boolean): string {
  checkSettings(responsesApi, request, remedies);
  const { messages, toolSpecifications = [], providerOptions } = request;
  const toolsJson = strict ? strictToolsJson : plainToolsJson;
  return jsonBody(settingsOf(request, strict), providerOptions, {
    input: () => responsesInputJson(messages),
    ...(toolSpecifications.length > 0 && { tools: () => toolsJson(toolSpecifications) }),
  });
}

function settingsOf(request: ChatRequest, strict: boolean): Record<string, unknown> {
  const hasTools = Boolean(request.toolSpecifications?.length);
  return {
    model: request.modelName,
    stream: true,
    // The history is ours: nothing is kept on the server, so that the reasoning has to come to us and go back.
    store: false,
    include: unreasoning.test(request.modelName ?? '') ? undefined : ['reasoning.encrypted_content'],
    temperature: request.temperature,
    top_p: request.topP,
    max_output_tokens: request.maxOutputTokens,
    reasoning: reasoning(request),
    text: request.responseFormat && { format: textFormat(request.responseFormat, strict) },
    // Refused in a request without tools.
    ...(hasTools && {
      tool_choice: request.toolChoice && toolChoice(request.toolChoice),
      parallel_tool_calls: request.parallelToolCalls,
    }),
  };
}

function reasoning({ reasoning: wanted }: ChatRequest): unknown {
  if (wanted?.budget !== undefined)
    throw notTaken(responsesApi, 'reasoning.budget', 'set reasoning.effort, or what your server takes in providerOptions');
  return wanted?.effort && { effort: wanted.effort };
}

function textFormat(format: ResponseFormat, strict: boolean): unknown {
  if (format.type === 'text') return { type: 'text' };
  if (!format.schema) return { type: 'json_object' };
  return { type: 'json_schema', ...schemaFormat(format.name, format.schema, strict) };
}

function toolChoice(choice: ToolChoice): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', name: wireName(choice.name) };
}

// A service hands in the same array for every request.
const plainToolsJson = serialisedOnce((tools: readonly ToolSpecification[]) => toolsJson(tools, false));
const strictToolsJson = serialisedOnce((tools: readonly ToolSpecification[]) => toolsJson(tools, true));

function toolsJson(tools: readonly ToolSpecification[], strict: boolean): string {
  // This API takes a tool that says nothing for a strict one.
  return wireJson(tools.map((tool) => ({ type: 'function', strict: false, ...functionTool(tool, strict) })));
}
