import type { ChatModelError, ChatModelErrorKind } from '../chat/chat-model-error.ts';
import type { ChatResponse, FinishReason } from '../chat/chat-response.ts';
import type { TokenUsage } from '../chat/token-usage.ts';
import type { CallPlace, ToolCallFragment } from './open-call.ts';

/** One turn of the model while it streams: a wire tells it what it reads, and it makes the events and the answer of it. */
export interface Turn {
  /** Which answer this is, of which model; what was told first counts. */
  identify(id: string | undefined, modelName: string | undefined): void;
  text(piece: string): void;
  thinking(piece: string): void;
  /** Says which call the piece belongs to; `undefined` where it says nothing. */
  call(fragment: ToolCallFragment): CallPlace | undefined;
  /** The wire says that the call at this index has all its arguments. */
  callEnded(index: number): void;
  /** Something else has begun: the last part gets no more pieces. */
  blockBegan(): void;
  /** Keeps a part, such as signed thinking, as it is, for the next request; returns how it is replaced once it is whole. */
  keep(part: unknown): (whole: unknown) => void;
  /** Keeps something with the last part, and closes it: a signature, the provider's own id. */
  mark(extra: Readonly<Record<string, unknown>>): void;
  /** Keeps something with the whole answer. */
  remember(attribute: string, value: unknown): void;
  /** The same for what still grows: it is asked for when it is needed, and must not change what it gave before. */
  rememberGrowing(attribute: string, soFar: () => unknown): void;
  /** Whether there is neither text nor a call so far. */
  isSilent(): boolean;
  /** What the wire tells of each count, which may be anything; the last counts that are some hold. */
  counted(counts: Partial<Readonly<Record<keyof TokenUsage, unknown>>>): void;
  /** The model would not answer: what it says is a refusal. */
  refused(): void;
  finished(reason: FinishReason): void;
  /** Something that has no place among the events. */
  raw(event: unknown): void;
  /** An error of this provider that fails the turn, to be thrown. */
  failure(kind: ChatModelErrorKind, why: string, retryable: boolean): ChatModelError;
  /** The answer; throws a `ChatModelError` when the turn has no end. `isWhole`: the wire said that it was over. */
  end(isWhole: boolean): ChatResponse;
}
