import type { Content } from '../../chat/content.ts';
import type { CompensationReason, ToolExecution } from '../../tool/types.ts';

/** One entry of a chat, as a page shows it. */
export type UiMessage = UiUserMessage | UiAssistantMessage;

export interface UiUserMessage {
  readonly id: string;
  readonly role: 'user';
  /** The text of its contents; other media are told by a mark such as `[image]`. */
  readonly text: string;
  readonly contents: readonly Content[];
  /** `queued` while earlier answers are awaited, `unsent` when the chat was stopped before it was its turn. */
  readonly status: 'sent' | 'queued' | 'unsent';
}

/** All that came of one question: of all rounds, in the order in which it came. */
export interface UiAssistantMessage {
  readonly id: string;
  readonly role: 'assistant';
  readonly parts: readonly UiPart[];
  /** All its text, a paragraph for each round. */
  readonly text: string;
  readonly status: 'submitted' | 'streaming' | 'done' | 'stopped' | 'failed';
  readonly error?: Error | undefined;
  /** What retrieval found for the question. */
  readonly sources?: readonly Content[];
  /** The object, where the service has an `output`. */
  readonly content?: unknown;
}

export type UiPart = UiText | UiThinking | UiToolPart;

export interface UiText {
  readonly type: 'text';
  readonly round: number;
  readonly text: string;
}

export interface UiThinking {
  readonly type: 'thinking';
  readonly round: number;
  readonly text: string;
}

export interface UiToolPart {
  readonly type: 'toolCall';
  readonly round: number;
  /** Its place among the calls of the round. */
  readonly index: number;
  /** Whether the tool may have done something. */
  readonly hasRun?: boolean;
  readonly call: UiToolCall;
}

export interface UiToolCall {
  /** That of its request; for `decideToolCall` and `cancelToolCall`. */
  readonly id: string;
  readonly name: string;
  /** JSON text, which grows while the model writes. */
  readonly arguments: string;
  /**
   * The model writes it, it waits for its turn or for somebody's approval, it runs, it has ended. The invocation ended first:
   * `stopped` while it ran, `notRun` before that.
   */
  readonly status: 'writing' | 'waiting' | 'awaitingApproval' | 'running' | 'done' | 'failed' | 'denied' | 'stopped' | 'notRun';
  /** What the tool told last. */
  readonly progress?: unknown;
  /** The text that the model is told. */
  readonly result?: string;
  readonly resultContents?: readonly Content[];
  /** How it ran; absent in what a memory held from earlier. */
  readonly execution?: ToolExecution;
  /** What it had done was undone, or with an `error` could not be. */
  readonly compensation?: { readonly reason: CompensationReason; readonly error?: Error };
}

/** The tool calls of a message. */
export function toolCallsIn(message: UiMessage | undefined): readonly UiToolCall[] {
  if (message?.role !== 'assistant') return [];
  return message.parts.flatMap((part) => (part.type === 'toolCall' ? [part.call] : []));
}

/** Whether one of its tools may have done something. */
export function hasRun(message: UiMessage): boolean {
  return message.role === 'assistant' && message.parts.some((part) => part.type === 'toolCall' && part.hasRun === true);
}
