import type { ChatModel } from '../chat/chat-model.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import type { ChatResponse } from '../chat/chat-response.ts';
import type { TokenUsage } from '../chat/token-usage.ts';
import type { AiServiceEvent } from '../event/ai-service-event.ts';
import type { ChatMemory } from '../memory/chat-memory.ts';
import type { HeldMemories } from '../memory/held-memories.ts';
import type { Conversation } from '../memory/conversation.ts';
import type { InvocationContext } from '../tool/invocation-context.ts';
import type { ToolExecution } from '../tool/types.ts';
import type { ModeDefaults } from './modes.ts';
import type { Settings } from './settings.ts';

/** One invocation while it runs: what its stages are given. */
export interface Run {
  readonly settings: Settings;
  readonly policy: ModeDefaults;
  readonly invocation: InvocationContext;
  readonly model: ChatModel;
  readonly chatRequest: Partial<ChatRequest>;
  readonly memory: ChatMemory | undefined;
  readonly held: HeldMemories | undefined;
  readonly conversation: Conversation;
  readonly gathered: Gathered;
  /** Runs work in the async context of the subscriber. */
  readonly inContext: (work: () => void) => void;
  /** The same for the user's code, which must not wait for the turn on the memory that this invocation holds. */
  readonly inUserCode: (work: () => void) => void;
  readonly fire: (makeEvent: () => AiServiceEvent) => void;
}

/** What a run has come to so far. The rounds add to it; when a failed invocation goes on, it goes on from here. */
export interface Gathered {
  /** Counted from 1; 0 before the first. */
  round: number;
  toolRounds: number;
  /** What the round under way has streamed. */
  text: string;
  thinking: string;
  readonly intermediateResponses: ChatResponse[];
  readonly toolExecutions: ToolExecution[];
  tokenUsage: TokenUsage | undefined;
  /** The answer, once it is there. */
  finalResponse: ChatResponse | undefined;
}

export function nothingGathered(): Gathered {
  return {
    round: 0,
    toolRounds: 0,
    text: '',
    thinking: '',
    intermediateResponses: [],
    toolExecutions: [],
    tokenUsage: undefined,
    finalResponse: undefined,
  };
}
