import type { ChatModel } from '../chat/chat-model.ts';
import type { ChatRequest, ResponseFormat } from '../chat/chat-request.ts';
import type { ChatResponse } from '../chat/chat-response.ts';
import type { Content } from '../chat/content.ts';
import type { ToolExecutionRequest } from '../chat/message.ts';
import type { TokenUsage } from '../chat/token-usage.ts';
import type { AiServiceEvent } from '../event/ai-service-event.ts';
import type { ChatMemory } from '../memory/chat-memory.ts';
import type { Conversation } from '../memory/conversation.ts';
import type { HeldMemories } from '../memory/held-memories.ts';
import type { Unstoppable } from '../memory/unstoppable.ts';
import type { InvocationContext } from '../tool/invocation-context.ts';
import type { CompensationReason, ToolExecution } from '../tool/types.ts';
import type { Controls } from './controls.ts';
import type { LimitName } from './limits.ts';
import type { ModeDefaults } from './modes.ts';
import type { RunClock } from './run-clock.ts';
import type { Settings } from './settings.ts';
import type { Toolset } from './toolset.ts';
import type { Undoable } from './undo-call.ts';

/** What holds for one invocation: its mode, where the service's options say nothing else. */
interface Policy extends ModeDefaults {
  /** No text is shown before the guardrails have seen the answer. */
  readonly holdsText: boolean;
  /** The form of the answer, where the model can be told. */
  readonly responseFormat?: ResponseFormat;
}

/** One invocation while it runs: what its stages are given. */
export interface Run {
  readonly settings: Settings;
  readonly policy: Policy;
  readonly invocation: InvocationContext;
  readonly model: ChatModel;
  readonly chatRequest: Partial<ChatRequest>;
  readonly memory: ChatMemory | undefined;
  readonly held: HeldMemories | undefined;
  readonly conversation: Conversation;
  /** For memory writes and undoing: what must not be left half done. */
  readonly unstoppable: Unstoppable;
  readonly tools: Toolset;
  /** Only where `limits` bounds the duration. */
  readonly clock: RunClock | undefined;
  readonly controls: Controls;
  readonly gathered: Gathered;
  /** Runs work in the async context of the subscriber. */
  readonly inContext: (work: () => void) => void;
  /** The same for the user's code, which must not wait for the turn on the memory that this invocation holds. */
  readonly inUserCode: (work: () => void) => void;
  readonly fire: (makeEvent: () => AiServiceEvent) => void;
}

/** What a run has come to so far. The stages add to it; when a failed invocation goes on, it goes on from here. */
export interface Gathered {
  /** Counted from 1; 0 before the first. */
  round: number;
  toolRounds: number;
  /** How often the round under way was asked for again. */
  restarts: number;
  /** What the round under way has streamed. */
  text: string;
  thinking: string;
  /** Whether anybody was told of it, and was not told since to forget it. */
  isTold: boolean;
  /** Whether it is in the history, with what its tools have done. */
  isKept: boolean;
  /** Whether the question and the tools are as the model gets them: they need not be made again. */
  isPrepared: boolean;
  /** What retrieval found. */
  sources: readonly Content[];
  readonly intermediateResponses: ChatResponse[];
  readonly toolExecutions: ToolExecution[];
  /** What would have to be undone, in the order of the requests. */
  readonly undoable: Undoable[];
  tokenUsage: TokenUsage | undefined;
  callCount: number;
  /** How often each call was made, by name and arguments. */
  callCounts: Map<string, number> | undefined;
  /** The limit that was hit, where the model may still answer. */
  limit: LimitName | undefined;
  /** The answer, once it is there. */
  finalResponse: ChatResponse | undefined;
  /** The answer is the results of tools. */
  isImmediate: boolean;
  /** Whether memory knows the answer, or will with the next write. */
  isAnswerAdded: boolean;
  /** How often output guardrails have refused an answer. */
  refusals: number;
  /** How often an answer did not fit the `output`. */
  misfits: number;
  /** The answer as the object that `output` describes. */
  output: { readonly value: unknown } | undefined;
  /** Whether a round was given up: nobody waits for its tools any more, but to undo what they have done. */
  isLeft: boolean;
  /** The call that has ended the invocation, and how. */
  failedCall: { readonly request: ToolExecutionRequest; readonly error: Error } | undefined;
  /** What is to blame for the failure under way. */
  failedBy: CompensationReason | undefined;
}

export function nothingGathered(): Gathered {
  return {
    round: 0,
    toolRounds: 0,
    restarts: 0,
    text: '',
    thinking: '',
    isTold: false,
    isKept: false,
    isPrepared: false,
    sources: [],
    intermediateResponses: [],
    toolExecutions: [],
    undoable: [],
    tokenUsage: undefined,
    callCount: 0,
    callCounts: undefined,
    limit: undefined,
    finalResponse: undefined,
    isImmediate: false,
    isAnswerAdded: false,
    refusals: 0,
    misfits: 0,
    output: undefined,
    isLeft: false,
    failedCall: undefined,
    failedBy: undefined,
  };
}
