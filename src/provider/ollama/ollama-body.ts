import type { ChatRequest, Reasoning } from '../../chat/chat-request.ts';
import type { ToolSpecification } from '../../chat/tool-specification.ts';
import { jsonBody } from '../json-body.ts';
import { notTaken } from '../request-error.ts';
import { serialisedOnce } from '../serialised-once.ts';
import { wireName } from '../wire-name.ts';
import { ollamaApi } from './ollama-api.ts';
import { ollamaMessageJson } from './ollama-message-json.ts';
import { toolParameters } from './tool-parameters.ts';

/** The body of a chat request, as JSON text; throws a `ChatModelError` on what can't be said in it. */
export function ollamaBody(request: ChatRequest): string {
  const { messages, providerOptions } = request;
  const tools = offeredTools(request);
  return jsonBody(settingsOf(request), providerOptions, {
    messages: () => `[${messages.map(ollamaMessageJson).join(',')}]`,
    ...(tools.length > 0 && { tools: () => toolsJson(tools) }),
  });
}

function settingsOf(request: ChatRequest): Record<string, unknown> {
  const options = {
    temperature: request.temperature,
    top_p: request.topP,
    top_k: request.topK,
    num_predict: request.maxOutputTokens,
    stop: request.stopSequences,
    seed: request.seed,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
  };
  const hasOptions = Object.values(options).some((value) => value !== undefined);
  return {
    model: request.modelName,
    stream: true,
    think: think(request),
    format: format(request),
    ...(hasOptions && { options }),
  };
}

/** The API has one level less, and itself takes the lowest of the others for it where it speaks like OpenAI. */
const levels: Readonly<Record<NonNullable<Reasoning['effort']>, string>> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
};

function think({ reasoning }: ChatRequest): string | undefined {
  if (reasoning?.budget === undefined) return reasoning?.effort && levels[reasoning.effort];
  throw notTaken(ollamaApi, 'reasoning.budget', 'set reasoning.effort, or think in providerOptions');
}

function format({ responseFormat }: ChatRequest): unknown {
  return responseFormat?.type === 'json' ? (responseFormat.schema ?? 'json') : undefined;
}

/** The tools that the model may call. The API knows no choice among them: a model that must not call any is offered none. */
function offeredTools({
  toolSpecifications = [],
  toolChoice = 'auto',
  parallelToolCalls,
}: ChatRequest): readonly ToolSpecification[] {
  if (toolSpecifications.length === 0 || toolChoice === 'none') return [];
  if (toolChoice !== 'auto') {
    const choice = `toolChoice ${typeof toolChoice === 'string' ? toolChoice : `of one tool (${toolChoice.name})`}`;
    throw notTaken(ollamaApi, choice, 'leave it at auto, and say in the system message which tool is to be called');
  }
  if (parallelToolCalls === false)
    throw notTaken(ollamaApi, 'parallelToolCalls false', 'leave it out, and set toolConcurrency to run one call after the other');
  return toolSpecifications;
}

// A service hands in the same array for every request.
const toolsJson = serialisedOnce((tools: readonly ToolSpecification[]) => JSON.stringify(tools.map(functionTool)));

function functionTool({ name, description, parameters }: ToolSpecification): unknown {
  return {
    type: 'function',
    function: {
      name: wireName(name),
      ...(description !== undefined && { description }),
      parameters: toolParameters(parameters),
    },
  };
}
