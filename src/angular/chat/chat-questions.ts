import { Subject, defer, from, merge, type Observable } from 'rxjs';
import type { Content } from '../../chat/content.ts';
import type { Invocation } from '../../service/start-invocation.ts';
import { isUnderWay } from './chat-state.ts';
import type { ChatStore } from './chat-store.ts';
import { hasRun, type UiMessage } from './ui-message.ts';
import { userMessage } from './ui-messages-of.ts';

export interface Question<T> {
  /** The ids of the messages that show it, and its answer. */
  readonly id: string;
  readonly answer: string;
  readonly contents: readonly Content[];
  readonly start: (memoryId: unknown) => Invocation<T>;
  /** What has failed and goes on. */
  readonly failed?: Invocation<T> | undefined;
}

/** What is asked in a chat. It waits until it is known which conversation this is, and what it holds. */
export interface ChatQuestions<T> {
  /** Those that wait, and from then on those that are asked. */
  readonly asked$: Observable<Question<T>>;
  ask(contents: readonly Content[], start: Question<T>['start']): void;
  areWaiting(): boolean;
  /** What waits is not asked. */
  withdraw(): void;
  /** Starts a question, or goes on with it. May throw. */
  begin(question: Question<T>, memoryId: unknown): Invocation<T>;
  /** Whether the answer to the one that was begun last has failed or was stopped. */
  canRetry(): boolean;
  retry(): void;
  /** Forgets them all, for another conversation. */
  clear(): void;
}

export function chatQuestions<T>({ dispatch, now }: Pick<ChatStore<T>, 'dispatch' | 'now'>): ChatQuestions<T> {
  const questions = new Subject<Question<T>>();
  const waiting: Question<T>[] = [];
  /** The one that was begun last, and what came of it, if it could be started. */
  let last: { readonly question: Question<T>; readonly invocation?: Invocation<T> } | undefined;
  let count = 0;

  const put = (question: Question<T>) => (questions.observed ? questions.next(question) : void waiting.push(question));
  const ask = (contents: readonly Content[], start: Question<T>['start']) => {
    const id = `question-${++count}`;
    dispatch({ type: 'asked', question: userMessage(id, contents, 'queued') });
    put({ id, answer: `answer-${count}`, contents, start });
  };
  /** The last answer, if it can be tried again. */
  const retriable = (): UiMessage | undefined => {
    const answer = last && now().messages.find(({ id }) => id === last?.question.answer);
    return answer?.status === 'failed' || answer?.status === 'stopped' ? answer : undefined;
  };

  return {
    asked$: defer(() => merge(questions, from(waiting.splice(0)))),
    ask,
    areWaiting: () => waiting.length > 0,
    withdraw() {
      waiting.length = 0;
      dispatch({ type: 'withdrawn' });
    },
    begin(question, memoryId) {
      last = { question };
      const invocation = question.failed?.resume() ?? question.start(memoryId);
      last = { question, invocation };
      return invocation;
    },
    canRetry: () => retriable() !== undefined,
    retry() {
      const answer = retriable();
      if (!last || !answer || isUnderWay(now())) return;
      const { question, invocation } = last;
      if (answer.status === 'failed') put({ ...question, failed: invocation });
      // What its tools have done is remembered with the question: asked once more, it is one more question.
      else if (hasRun(answer)) ask(question.contents, question.start);
      else put({ ...question, failed: undefined });
    },
    clear() {
      waiting.length = 0;
      last = undefined;
      dispatch({ type: 'cleared' });
    },
  };
}
