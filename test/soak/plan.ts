import { randomOf, type Random } from './random.ts';
import { toolPlans, type ToolPlan } from './tool-plan.ts';
import type { WireProvider } from '../wire/wire-models.ts';

/** One service and a few invocations of it: what is replayed as a whole. */
export interface Plan {
  readonly tools: readonly ToolPlan[];
  readonly memory: MemoryPlan | undefined;
  readonly service: ServicePlan;
  readonly invocations: readonly InvocationPlan[];
}

export interface MemoryPlan {
  readonly window: 'messages' | 'tokens' | 'roomy';
  readonly store: 'sync' | 'async' | 'copying' | 'failing';
}

export interface ServicePlan {
  readonly hasSystemMessage: boolean;
  readonly compensateOnToolErrors: boolean;
  /** ms of the quick clock; always there, since some tools never end. */
  readonly toolTimeout: number;
  readonly toolConcurrency: number | undefined;
  readonly roundRetries: number;
  readonly maxToolResultLength: number | undefined;
  readonly maxRoundTrips: number;
  readonly limits: 'none' | 'duration' | 'toolCalls' | 'identicalToolCalls' | 'totalTokens';
  readonly then: 'fail' | 'answer';
  readonly failures: 'default' | 'told' | 'asyncHandler';
  readonly unknownTools: 'told' | 'fail';
  readonly approval: 'yes' | 'no' | 'late' | 'fails' | 'nobody';
  readonly hooks: 'none' | 'async' | 'failing';
  readonly guardrail: boolean;
  readonly throwingListener: boolean;
}

export interface InvocationPlan {
  readonly provider: WireProvider;
  readonly mode: 'stream' | 'text' | 'result' | 'start' | 'tokenStream';
  /** Whether it begins when the one before has ended, and not beside it. */
  readonly waits: boolean;
  readonly stop: Stop;
  /** How often it goes on after a failure. */
  readonly resumes: number;
  /** Whether calls are cancelled one by one while they run, and approvals given from outside (`start` alone). */
  readonly meddles: boolean;
}

/** `leave`: an unsubscribe, or the `cancel` of what was started. */
interface Stop {
  readonly how: 'never' | 'leave' | 'abort';
  readonly after: { readonly events: number } | { readonly ms: number } | { readonly toolStarts: number };
}

const providers: readonly WireProvider[] = [
  'openai-chat',
  'openai-chat',
  'anthropic',
  'anthropic',
  'openai-responses',
  'gemini',
  'ollama',
];

/** What is to happen under this number. */
export function planOf(seed: string | number, number: number): Plan {
  const random = randomOf(seed, number, 'plan');
  const { between, chance, pick } = random;
  return {
    tools: toolPlans(random),
    memory: chance(0.7)
      ? { window: pick(['messages', 'tokens', 'roomy', 'roomy']), store: pick(['sync', 'async', 'copying', 'failing']) }
      : undefined,
    service: servicePlan(random),
    invocations: Array.from({ length: between(1, 4) }, () => invocationPlan(random)),
  };
}

function servicePlan({ between, chance, pick }: Random): ServicePlan {
  return {
    hasSystemMessage: chance(0.5),
    compensateOnToolErrors: chance(0.6),
    toolTimeout: between(600, 1200),
    toolConcurrency: pick([undefined, undefined, 1, 2]),
    roundRetries: between(0, 2),
    maxToolResultLength: pick([undefined, 50, 5000]),
    maxRoundTrips: pick([1, 3, 20]),
    limits: chance(0.3) ? pick(['duration', 'toolCalls', 'identicalToolCalls', 'totalTokens']) : 'none',
    then: pick(['fail', 'answer']),
    failures: pick(['default', 'told', 'told', 'asyncHandler']),
    unknownTools: pick(['told', 'told', 'fail']),
    approval: pick(['yes', 'yes', 'no', 'late', 'fails', 'nobody']),
    hooks: pick(['none', 'none', 'none', 'async', 'failing']),
    guardrail: chance(0.1),
    throwingListener: chance(0.05),
  };
}

function invocationPlan(random: Random): InvocationPlan {
  const { between, chance, pick } = random;
  return {
    provider: pick(providers),
    mode: pick(['stream', 'stream', 'text', 'result', 'start', 'start', 'tokenStream']),
    waits: chance(0.5),
    stop: stopOf(random),
    resumes: between(0, 2),
    meddles: chance(0.3),
  };
}

function stopOf({ between, chance, pick }: Random): Stop {
  const how = chance(0.6) ? 'never' : pick(['leave', 'abort'] as const);
  const after = pick([{ events: between(0, 30) }, { ms: between(0, 80) }, { toolStarts: between(1, 3) }]);
  return { how, after };
}
