import { map, of, type Observable } from 'rxjs';
import { ConfigurationError } from '../../chat/configuration-error.ts';
import { isContent, type Content } from '../../chat/content.ts';
import type { UserMessage } from '../../chat/message.ts';
import { checkFunction, invalidOption } from '../../chat/option-checks.ts';
import { fromValue } from '../../chat/value.ts';
import { augmentedMessage } from './augmented-message.ts';
import type { Augmentation, ContentRetriever, RetrievalAugmentor, RetrievalRequest } from './content-retriever.ts';
import { textOfUser } from './text-of-user.ts';

export interface RetrievalOptions {
  readonly contentRetriever?: ContentRetriever | undefined;
  readonly retrievalAugmentor?: RetrievalAugmentor | undefined;
}

/**
 * How a service augments the user's message, if it does. What is returned is cold: each subscription calls the user's
 * function once, and errors with a `ConfigurationError` when that gives what can't be used.
 *
 * Throws a `ConfigurationError` when both options are set.
 */
export function augmentorOf(options: RetrievalOptions): ((request: RetrievalRequest) => Observable<Augmentation>) | undefined {
  const { contentRetriever, retrievalAugmentor } = options;
  checkFunction('aiService', 'contentRetriever', contentRetriever);
  checkFunction('aiService', 'retrievalAugmentor', retrievalAugmentor);
  if (contentRetriever && retrievalAugmentor)
    throw new ConfigurationError('aiService: contentRetriever and retrievalAugmentor exclude each other; set one of them.');
  if (retrievalAugmentor)
    return (request) =>
      fromValue(() => retrievalAugmentor(request)).pipe(map((returned) => checkedAugmentation(request, returned)));
  return contentRetriever && ((request) => retrieved(contentRetriever, request));
}

function retrieved(contentRetriever: ContentRetriever, request: RetrievalRequest): Observable<Augmentation> {
  const { userMessage } = request;
  const text = textOfUser(userMessage);
  if (!text.trim()) return of({ userMessage, contents: [] });
  return fromValue(() => contentRetriever({ ...request, text })).pipe(
    map((found) => checkedContents('what contentRetriever returned', found ?? [])),
    map((contents) => ({ userMessage: augmentedMessage(userMessage, contents), contents })),
  );
}

function checkedAugmentation({ userMessage: original }: RetrievalRequest, returned: unknown): Augmentation {
  const { userMessage, contents } = (returned ?? {}) as Partial<Augmentation>;
  if (userMessage?.role !== 'user')
    throw invalidOption('aiService', 'what retrievalAugmentor returned', returned, 'it must be { userMessage, contents }');
  const message: UserMessage = {
    role: 'user',
    contents: checkedContents("retrievalAugmentor's userMessage.contents", userMessage.contents),
  };
  return {
    userMessage: userMessage === original ? original : message,
    contents: checkedContents("retrievalAugmentor's contents", contents),
  };
}

const example = "{ type: 'text', text: '…' }";

/** Copied: what the retriever does to its array afterwards is no business of the invocation. */
function checkedContents(what: string, contents: unknown): readonly Content[] {
  if (!Array.isArray(contents))
    throw invalidOption('aiService', what, contents, `it must be an array of contents, such as ${example}`);
  const odd = contents.findIndex((content) => !isContent(content));
  if (odd < 0) return [...(contents as readonly Content[])];
  throw invalidOption('aiService', `${what}, at [${odd}],`, contents[odd], `it must be a content, such as ${example}`);
}
