import type { ChatRequest, Reasoning, ResponseFormat, ToolChoice } from '../../chat/chat-request.ts';
import type { JsonSchema } from '../../chat/tool-specification.ts';
import { checkSettings, notTaken } from '../request-error.ts';
import { closedForm } from '../schema/closed-form.ts';
import { wireName } from '../wire-name.ts';
import { messagesApi } from './messages-api.ts';

type Json = Readonly<Record<string, unknown>>;
type Effort = NonNullable<Reasoning['effort']>;

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
  const thinking = thinkingOf(request);
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

/** Models that think by a budget alone, which newer ones refuse. */
const byBudget = /claude-(3|(opus|sonnet|haiku)-4(-[0-5])?($|-20|@|:))/;

function isAdaptive(modelName: string): boolean {
  return !byBudget.test(modelName);
}

/** Tokens, for models that know no effort. */
const budgets: Readonly<Record<Exclude<Effort, 'none'>, number>> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 24_576,
};

/** A budget is the older way, effort with adaptive thinking the newer. With both, effort says how much is spent on all else. */
function thinkingOf({ reasoning: { budget, effort } = {}, modelName = '' }: ChatRequest): Json | undefined {
  if (budget === 0 || effort === 'none') return { type: 'disabled' };
  if (budget !== undefined) return { type: 'enabled', budget_tokens: budget };
  if (effort === undefined) return undefined;
  return isAdaptive(modelName) ? { type: 'adaptive' } : { type: 'enabled', budget_tokens: budgets[effort] };
}

/** The API has nothing below low. */
const efforts: Readonly<Record<Effort, string | undefined>> = {
  none: undefined,
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
};

function outputConfig({ reasoning, responseFormat, modelName = '' }: ChatRequest): Json | undefined {
  const effort = isAdaptive(modelName) && reasoning?.effort ? efforts[reasoning.effort] : undefined;
  const schema = responseFormat && closedSchema(responseFormat);
  if (!effort && !schema) return undefined;
  return { ...(effort && { effort }), ...(schema && { format: { type: 'json_schema', schema } }) };
}

/** The schema of an answer as the API takes it; `undefined` where it has no form for it, and the answer is asked for in words. */
export function closedSchema(format: ResponseFormat): JsonSchema | undefined {
  return format.type === 'json' && format.schema ? closedForm(format.schema).schema : undefined;
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
