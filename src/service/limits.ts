import { checkCount, checkDuration, checkKnownOptions, invalidOption } from '../chat/option-checks.ts';
import { parseJson } from '../chat/parse-json.ts';
import type { ToolExecutionRequest } from '../chat/message.ts';
import type { TokenUsage } from '../chat/token-usage.ts';
import type { Run } from './run.ts';
import { LimitExceededError, ToolRoundTripsExceededError } from './service-errors.ts';

/** How much one invocation may use. */
export interface Limits {
  /** No further request once the rounds so far have used this many. */
  readonly totalTokens?: number | undefined;
  /** Calls in all. */
  readonly toolCalls?: number | undefined;
  /** Calls of one tool with the same arguments. */
  readonly identicalToolCalls?: number | undefined;
  /** ms, without the time that calls wait for approval; what runs then is aborted. */
  readonly duration?: number | undefined;
  /** What a limit does, that of the rounds too: by default the invocation fails; `answer` asks the model once more, without tools. */
  readonly then?: 'fail' | 'answer' | undefined;
}

/** What was hit. */
export type LimitName = 'maxToolCallingRoundTrips' | 'totalTokens' | 'toolCalls' | 'identicalToolCalls' | 'duration';

export function checkLimits(limits: Limits | undefined): void {
  if (limits === undefined) return;
  const where = 'aiService: limits';
  checkKnownOptions(where, limits, ['totalTokens', 'toolCalls', 'identicalToolCalls', 'duration', 'then']);
  checkCount(where, 'totalTokens', limits.totalTokens, 1);
  checkCount(where, 'toolCalls', limits.toolCalls, 0);
  checkCount(where, 'identicalToolCalls', limits.identicalToolCalls, 1);
  checkDuration(where, 'duration', limits.duration);
  if (limits.then !== undefined && limits.then !== 'fail' && limits.then !== 'answer')
    throw invalidOption(where, 'then', limits.then, "it must be 'fail' or 'answer'");
}

/** The limit that lets no further round of tools begin. */
export function limitBeforeRound({ settings, gathered, clock }: Run): LimitName | undefined {
  const { limits, maxToolCallingRoundTrips } = settings;
  if (clock?.isExpired()) return 'duration';
  if (usedTokens(gathered.tokenUsage) >= (limits?.totalTokens ?? Infinity)) return 'totalTokens';
  // A model that is to answer is not first let try; one that is to fail fails by its call.
  const isLastRound = limits?.then === 'answer' && gathered.toolRounds >= maxToolCallingRoundTrips;
  return isLastRound ? 'maxToolCallingRoundTrips' : undefined;
}

/** Counts a call; the limit that it is too much for. */
export function limitOfCall({ settings, gathered }: Run, request: ToolExecutionRequest): LimitName | undefined {
  const { limits, maxToolCallingRoundTrips } = settings;
  if (gathered.toolRounds >= maxToolCallingRoundTrips) return 'maxToolCallingRoundTrips';
  if (!limits) return undefined;
  const { toolCalls = Infinity, identicalToolCalls = Infinity } = limits;
  const count = countCall(gathered, request, 1);
  if (gathered.callCount > toolCalls) return 'toolCalls';
  return count > identicalToolCalls ? 'identicalToolCalls' : undefined;
}

/** The round is asked for again and none of its calls has run: they are not counted. */
export function forgetCalls({ settings, gathered }: Run, requests: readonly ToolExecutionRequest[]): void {
  if (settings.limits) for (const request of requests) countCall(gathered, request, -1);
}

function countCall(gathered: Run['gathered'], request: ToolExecutionRequest, by: 1 | -1): number {
  const key = keyOf(request);
  const counts = (gathered.callCounts ??= new Map<string, number>());
  const count = (counts.get(key) ?? 0) + by;
  counts.set(key, count);
  gathered.callCount += by;
  return count;
}

function keyOf({ name, arguments: text }: ToolExecutionRequest): string {
  try {
    return JSON.stringify([name, valueOf(text)], sortedKeys);
  } catch {
    // Too deep to be sorted: then only the same text is the same.
    return JSON.stringify([name, text]);
  }
}

function valueOf(text = ''): unknown {
  // A number with so many digits may lose the one in which two calls differ.
  return /\d{16}/.test(text) ? text : (parseJson(text || '{}') ?? text);
}

function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

export function limitError({ settings, gathered }: Run, limit: LimitName): Error {
  if (limit === 'maxToolCallingRoundTrips') {
    return new ToolRoundTripsExceededError(
      `The model called tools again after ${gathered.toolRounds} ${gathered.toolRounds === 1 ? 'round' : 'rounds'} of tool calls; maxToolCallingRoundTrips is ${settings.maxToolCallingRoundTrips}.`,
    );
  }
  return new LimitExceededError(`The invocation has reached a limit: limits.${limit} is ${settings.limits?.[limit]}.`, { limit });
}

/** A round that tells no total still tells what it is made of. */
function usedTokens({ inputTokens = 0, outputTokens = 0, totalTokens = 0 }: TokenUsage = {}): number {
  return Math.max(totalTokens, inputTokens + outputTokens);
}
