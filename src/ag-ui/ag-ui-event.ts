import type { AgUiMessage, AgUiPart } from './ag-ui-message.ts';

/** Something that a run needs from a person before it can go on. */
export interface AgUiInterrupt {
  readonly id: string;
  readonly reason: string;
  readonly message?: string;
  readonly toolCallId?: string;
  /** A JSON Schema of the answer. */
  readonly responseSchema?: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  readonly expiresAt?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Tokens of one model. The parts are in the totals: cached ones among the input, those of thoughts among the output. */
export interface AgUiTokenUsage {
  readonly model?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  readonly reasoningTokens?: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteInputTokens?: number;
}

/** Why a run ended. */
export type AgUiOutcome =
  { readonly type: 'success' | 'cancelled' } | { readonly type: 'interrupt'; readonly interrupts: readonly AgUiInterrupt[] };

interface Base {
  readonly metadata?: Readonly<Record<string, unknown>>;
}

interface Run {
  readonly threadId: string;
  readonly runId: string;
}

interface OfMessage {
  readonly messageId: string;
}

interface OfCall {
  readonly toolCallId: string;
}

/** The events of AG-UI 1.0 that are made here: plain objects. The protocol's own package has its types as an enum, with the same texts. */
export type AgUiEvent = Base &
  (
    | ({ readonly type: 'RUN_STARTED'; readonly protocolVersion: string } & Run)
    | ({
        readonly type: 'RUN_FINISHED';
        readonly outcome: AgUiOutcome;
        readonly result?: unknown;
        readonly usage?: readonly AgUiTokenUsage[];
      } & Run)
    | {
        readonly type: 'RUN_ERROR';
        readonly message: string;
        readonly code?: string;
        readonly usage?: readonly AgUiTokenUsage[];
      }
    | { readonly type: 'STEP_STARTED' | 'STEP_FINISHED'; readonly stepName: string }
    | ({ readonly type: 'TEXT_MESSAGE_START'; readonly role: 'assistant' } & OfMessage)
    | ({ readonly type: 'TEXT_MESSAGE_CONTENT' | 'REASONING_MESSAGE_CONTENT'; readonly delta: string } & OfMessage)
    | ({ readonly type: 'REASONING_MESSAGE_START'; readonly role: 'reasoning' } & OfMessage)
    | ({
        readonly type: 'TEXT_MESSAGE_END' | 'REASONING_START' | 'REASONING_MESSAGE_END' | 'REASONING_END';
      } & OfMessage)
    | ({ readonly type: 'TOOL_CALL_START'; readonly toolCallName: string; readonly parentMessageId: string } & OfCall)
    | ({ readonly type: 'TOOL_CALL_ARGS'; readonly delta: string } & OfCall)
    | ({ readonly type: 'TOOL_CALL_END' } & OfCall)
    | ({ readonly type: 'TOOL_CALL_RESULT'; readonly role: 'tool'; readonly content: string | readonly AgUiPart[] } & OfMessage &
        OfCall)
    | { readonly type: 'MESSAGES_SNAPSHOT'; readonly messages: readonly AgUiMessage[] }
    | { readonly type: 'RAW'; readonly event: unknown }
    | { readonly type: 'CUSTOM'; readonly name: string; readonly value: unknown }
  );
