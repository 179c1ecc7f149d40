import { asyncScheduler, defer, of, timer, type Observable, type SchedulerLike, type Subscription } from 'rxjs';
import type { UserMessage } from '../chat/message.ts';
import { longestTimer } from '../chat/longest-timer.ts';
import { checkCount, checkDuration, checkKnownOptions } from '../chat/option-checks.ts';
import type { Invocation } from '../service/start-invocation.ts';
import { ApprovalExpiredError } from './approval-expired-error.ts';
import type { PostedUiMessages } from './from-ui-messages.ts';
import { uiConversation, type UiConversation } from './ui-conversation.ts';
import type { UiMessageChunk } from './ui-message-chunk.ts';
import { uiMessageStreamSettings, type UiMessageStreamOptions } from './ui-message-stream-options.ts';

export interface UiApprovalsOptions extends Omit<UiMessageStreamOptions, 'messageId' | 'sendApprovals'> {
  /** How many invocations may wait for their users; one more, and the one that has waited longest is cancelled. 1,000 by default. */
  readonly maxWaiting?: number | undefined;
  /** How long an invocation waits for its user before it is cancelled, in ms: 600,000 by default. */
  readonly waitingTime?: number | undefined;
  /** For the waiting time: `asyncScheduler` by default. */
  readonly scheduler?: SchedulerLike | undefined;
}

export interface UiApprovals {
  /**
   * The response to one request: a new question starts an invocation, decisions go on with the one that waits in this chat. Leaving it
   * cancels the invocation, and so does a question in a chat where one waits.
   * Throws a `TypeError` where the id of the chat is no text, or an empty one; a server answers with 400.
   */
  answer(
    chatId: string,
    posted: Pick<PostedUiMessages, 'userMessage' | 'decisions'>,
    start: (userMessage: UserMessage) => Invocation<unknown>,
  ): Observable<UiMessageChunk>;
  /** How many invocations wait for their users. */
  readonly size: number;
  /** Cancels all that wait. */
  clear(): void;
}

const known: readonly (keyof UiApprovalsOptions)[] = [
  'maxWaiting',
  'waitingTime',
  'scheduler',
  'onError',
  'messageMetadata',
  'sendReasoning',
  'sendSources',
  'isDynamic',
];

/**
 * Answers the requests of an AI SDK client where tools need an approval: the response ends when nothing goes on without the user, the invocation
 * waits in this process, and the request that brings the decision is answered with what follows, as the same message.
 *
 * Throws a `ConfigurationError` on options that can't work.
 *
 * @example
 * const approvals = uiApprovals();
 * const { id, messages } = await request.json();
 * approvals.answer(id, fromUiMessages(messages), (message) => assistant.start(message, { memoryId: id }));
 */
export function uiApprovals(options: UiApprovalsOptions = {}): UiApprovals {
  checkKnownOptions('uiApprovals', options, known);
  const { maxWaiting = 1000, waitingTime = 600_000, scheduler = asyncScheduler, ...streamOptions } = options;
  checkCount('uiApprovals', 'maxWaiting', maxWaiting, 1);
  checkDuration('uiApprovals', 'waitingTime', waitingTime);
  const settings = uiMessageStreamSettings('uiApprovals', streamOptions);
  /** By chat, the one that has waited longest first. */
  const waiting = new Map<string, { readonly conversation: UiConversation; readonly time: Subscription | undefined }>();

  const take = (chatId: string): UiConversation | undefined => {
    const entry = waiting.get(chatId);
    entry?.time?.unsubscribe();
    waiting.delete(chatId);
    return entry?.conversation;
  };
  const giveUp = (chatId: string) => take(chatId)?.cancel();
  const keep = (chatId: string, conversation: UiConversation) => {
    giveUp(chatId);
    if (waiting.size >= maxWaiting) giveUp(waiting.keys().next().value!);
    // eslint-disable-next-line rxjs-x/no-ignored-error -- a timer has none
    const time = waitingTime > longestTimer ? undefined : timer(waitingTime, scheduler).subscribe(() => giveUp(chatId));
    waiting.set(chatId, { conversation, time });
  };
  const begun = (chatId: string, start: () => Invocation<unknown>) => {
    giveUp(chatId);
    const conversation: UiConversation = uiConversation(start, settings, {
      onWaiting: () => keep(chatId, conversation),
      onEnded: () => void (waiting.get(chatId)?.conversation === conversation && take(chatId)),
    });
    return conversation.response();
  };
  const goneOn = (chatId: string, { decisions }: Pick<PostedUiMessages, 'decisions'>) => {
    const known = waiting.get(chatId)?.conversation;
    // One that comes twice, or too late, must not end what waits for another.
    if (!known || !decisions.some(known.isAwaited)) return of({ type: 'start' } as const, expired());
    take(chatId);
    return known.response(decisions);
  };
  const expired = (): UiMessageChunk => {
    const error = new ApprovalExpiredError('Nobody waits for this decision any more. Ask again.');
    return { type: 'error', errorText: settings.errorText(error) };
  };

  return {
    answer(chatId: unknown, posted, start) {
      // Chats without one would share what waits.
      if (typeof chatId !== 'string' || chatId.trim() === '')
        throw new TypeError('The id of the chat must be a text that is not empty.');
      return defer(() => {
        const { userMessage } = posted;
        return userMessage ? begun(chatId, () => start(userMessage)) : goneOn(chatId, posted);
      });
    },
    get size() {
      return waiting.size;
    },
    clear() {
      for (const chatId of [...waiting.keys()]) giveUp(chatId);
    },
  };
}
