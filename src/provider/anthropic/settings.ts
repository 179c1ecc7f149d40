import type { ChatRequest, Reasoning, ToolChoice } from '../../chat/chat-request.ts';
import type { JsonSchema } from '../../chat/tool-specification.ts';
import { checkSettings, notTaken } from '../request-error.ts';
import { closedForm } from '../schema/closed-form.ts';
import { wireName } from '../wire-name.ts';
import { messagesApi } from './messages-api.ts';

type Json = Readonly<Record<string, unknown>>;

/** The API wants a limit; this is the most that every model of it takes that is not retired. */
const defaultMaxTokens = 32_000;
/** What is left for the answer where a budget for thinking is all that the request sets. */
const answerTokens = 8_192;

const remedies: Readonly<Partial<Record<keyof ChatRequest, string>>> = {
  seed: 'leave it out; no setting makes an answer repeatable',
  frequencyPenalty: 'leave it out, and say in the system message what not to repeat',
  presencePenalty: 'leave it out, and say in the system message what to vary',
};

/** The settings of a request under their names on the wire; throws a `ChatModelError` on what can't be said in them. */
export function settingsOf(request: ChatRequest): Json {
  checkSettings(messagesApi, request, remedies);
  const thinking = thinkingOf(request.reasoning);
  if (thinking && thinking['type'] !== 'disabled') checkWhileThinking(request);
  return {
    model: request.modelName,
    max_tokens: request.maxOutputTokens ?? Math.max(defaultMaxTokens, (request.reasoning?.budget ?? 0) + answerTokens),
    stream: true,
    temperature: request.temperature,
    top_p: request.topP,
    top_k: request.topK,
    stop_sequences: request.stopSequences,
    thinking,
    output_config: outputConfig(request),
    // Refused in a request without tools.
    tool_choice: hasTools(request) ? toolChoice(request) : undefined,
  };
}

/**
 * A budget is the older way, which models before Claude 4.6 need and newer ones refuse; effort with adaptive thinking is
 * the newer. With both, effort says how much is spent on all else.
 */
function thinkingOf(reasoning: Reasoning | undefined): Json | undefined {
  const { budget, effort } = reasoning ?? {};
  if (budget !== undefined) return budget === 0 ? { type: 'disabled' } : { type: 'enabled', budget_tokens: budget };
  return effort && { type: 'adaptive' };
}

/** The API has nothing below low. */
const efforts: Readonly<Record<NonNullable<Reasoning['effort']>, string>> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
};

function outputConfig({ reasoning, responseFormat }: ChatRequest): Json | undefined {
  const effort = reasoning?.effort && efforts[reasoning.effort];
  if (responseFormat?.type !== 'json') return effort ? { effort } : undefined;
  return { ...(effort && { effort }), format: { type: 'json_schema', schema: closed(responseFormat.schema) } };
}

function closed(schema: JsonSchema | undefined): JsonSchema {
  if (!schema)
    throw notTaken(messagesApi, 'JSON without a schema', 'set responseFormat.schema, or ask for JSON in the system message');
  const form = closedForm(schema);
  if (form.schema) return form.schema;
  throw notTaken(
    messagesApi,
    `this responseFormat.schema, in which ${form.why}`,
    'change that, or ask for JSON in the system message',
  );
}

/** What the API refuses beside thinking. */
const notWhileThinking: readonly (readonly [what: string, isSet: (request: ChatRequest) => boolean])[] = [
  ["toolChoice 'required' or a tool's name", (request) => hasTools(request) && isForced(request.toolChoice)],
  ['temperature', ({ temperature = 1 }) => temperature !== 1],
  ['topP below 0.95', ({ topP = 1 }) => topP < 0.95],
  ['topK', ({ topK }) => topK !== undefined],
];

function checkWhileThinking(request: ChatRequest): void {
  const refused = notWhileThinking.find(([, isSet]) => isSet(request));
  if (refused) throw notTaken(messagesApi, `${refused[0]} together with reasoning`, 'leave one of them out');
}

function hasTools({ toolSpecifications }: ChatRequest): boolean {
  return Boolean(toolSpecifications?.length);
}

function isForced(choice: ToolChoice | undefined): boolean {
  return choice === 'required' || typeof choice === 'object';
}

const choices = { auto: 'auto', required: 'any', none: 'none' } as const;

function toolChoice({ toolChoice: choice, parallelToolCalls }: ChatRequest): Json | undefined {
  const said = typeof choice === 'object' ? { type: 'tool', name: wireName(choice.name) } : choice && { type: choices[choice] };
  // The word for it has no place of its own; where no tool may be called there is nothing to say.
  if (parallelToolCalls !== false || choice === 'none') return said;
  return { ...(said ?? { type: 'auto' }), disable_parallel_tool_use: true };
}
