import type { Content } from '../../chat/content.ts';
import type { ChatMessage, UserMessage } from '../../chat/message.ts';
import type { Value } from '../../chat/value.ts';
import type { InvocationContext } from '../../tool/invocation-context.ts';

/** What is known when contents are retrieved. */
export interface RetrievalRequest {
  /** As the caller wrote it. */
  readonly userMessage: UserMessage;
  /** The history before it. */
  readonly messages: readonly ChatMessage[];
  readonly invocation: InvocationContext;
}

export interface RetrievalQuery extends RetrievalRequest {
  /** The texts of the user's message. */
  readonly text: string;
}

/**
 * Finds what helps to answer: texts and media, the best first; nothing when there is nothing. The invocation waits for it, and
 * leaving the invocation unsubscribes from an Observable that it returned.
 */
export type ContentRetriever = (query: RetrievalQuery) => Value<readonly Content[] | null | undefined>;

/** The user's message as the model gets it, and what was found for it. */
export interface Augmentation {
  readonly userMessage: UserMessage;
  readonly contents: readonly Content[];
}

/** Makes the message that the model gets out of the user's: for those who choose the retriever or word the message themselves. */
export type RetrievalAugmentor = (request: RetrievalRequest) => Value<Augmentation>;
