import type { ChatRequest, Reasoning, ResponseFormat } from '../../chat/chat-request.ts';
import type { ToolSpecification } from '../../chat/tool-specification.ts';
import { formatInWords } from '../format-in-words.ts';
import { jsonBody } from '../json-body.ts';
import { notTaken } from '../request-error.ts';
import { soundSchema } from '../schema/sound-schema.ts';
import { serialisedOnce } from '../serialised-once.ts';
import { wireJson } from '../wire-json.ts';
import { wireName } from '../wire-name.ts';
import { ollamaApi } from './ollama-api.ts';
import { ollamaMessageJson } from './ollama-message-json.ts';
import { toolParameters } from './tool-parameters.ts';

type Effort = NonNullable<Reasoning['effort']>;

/** The body of a chat request, as JSON text; throws a `ChatModelError` on what can't be said in it. */
export function ollamaBody(request: ChatRequest): string {
  const { messages, responseFormat, providerOptions } = request;
  const tools = offeredTools(request);
  // Beside a format the server lets the model write nothing else, and so no call.
  const inWords = tools.length > 0 && responseFormat?.type === 'json' ? [formatMessage(responseFormat)] : [];
  const firstSaid = messages.findIndex(({ role }) => role !== 'system');
  return jsonBody(settingsOf(request, inWords.length === 0), providerOptions, {
    messages: () =>
      `[${messages
        .map(ollamaMessageJson)
        .toSpliced(Math.max(firstSaid, 0), 0, ...inWords)
        .join(',')}]`,
    ...(tools.length > 0 && { tools: () => toolsJson(tools) }),
  });
}

function settingsOf(request: ChatRequest, isFormatSet: boolean): Record<string, unknown> {
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
    format: isFormatSet ? format(request) : undefined,
    ...(hasOptions && { options }),
  };
}

/** The models that know levels; all others think or don't. */
const knowsLevels = /gpt-oss/;

/** The API has two levels less. */
const levels: Readonly<Record<Exclude<Effort, 'none'>, string>> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
};

function think({ reasoning: { effort, budget } = {}, modelName = '' }: ChatRequest): string | boolean | undefined {
  if (effort === 'none' || budget === 0) return false;
  if (budget !== undefined) throw notTaken(ollamaApi, 'reasoning.budget', 'set reasoning.effort, or think in providerOptions');
  return effort && (knowsLevels.test(modelName) ? levels[effort] : true);
}

function format({ responseFormat }: ChatRequest): unknown {
  return responseFormat?.type === 'json' ? (responseFormat.schema ? soundSchema(responseFormat.schema) : 'json') : undefined;
}

function formatMessage(format: ResponseFormat): string {
  return wireJson({ role: 'system', content: formatInWords(format) });
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
const toolsJson = serialisedOnce((tools: readonly ToolSpecification[]) => wireJson(tools.map(functionTool)));

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
