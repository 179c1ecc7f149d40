import type { Content } from './content.ts';

/** What the application tells the model about its part. */
export interface SystemMessage {
  readonly role: 'system';
  readonly text: string;
}

/** What the user says. */
export interface UserMessage {
  readonly role: 'user';
  readonly contents: readonly Content[];
}

/** One tool call as the model wrote it. */
export interface ToolExecutionRequest {
  /** Unique within the history, also where the provider gave none. */
  readonly id: string;
  readonly name: string;
  /** JSON text; empty text means no arguments. */
  readonly arguments: string;
}

/** What the model answered: text, tool calls, or both. */
export interface AiMessage {
  readonly role: 'assistant';
  readonly text: string | null;
  readonly thinking?: string;
  readonly toolExecutionRequests: readonly ToolExecutionRequest[];
  /** What a provider needs back on the next turn: signatures, its own ids. */
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** What a tool answered to one call. */
export interface ToolExecutionResultMessage {
  readonly role: 'tool';
  /** The id of the call that this answers. */
  readonly id: string;
  readonly toolName: string;
  readonly contents: readonly Content[];
  readonly isError: boolean;
  /** For the application; never sent to the model. */
  readonly attributes?: Readonly<Record<string, unknown>>;
}

export type ChatMessage = SystemMessage | UserMessage | AiMessage | ToolExecutionResultMessage;
