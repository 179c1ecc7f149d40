import {
  EMPTY,
  Subject,
  catchError,
  concat,
  concatMap,
  defer,
  distinctUntilChanged,
  exhaustMap,
  finalize,
  from,
  ignoreElements,
  merge,
  startWith,
  switchMap,
  take,
  tap,
  type Observable,
} from 'rxjs';
import type { Content } from '../../chat/content.ts';
import { toObservable } from '../../chat/value.ts';
import type { AiService } from '../../service/ai-service.ts';
import type { ApprovalDecision, Input, InvocationOptions } from '../../service/options.ts';
import type { Invocation } from '../../service/start-invocation.ts';
import type { AiServiceStreamingEvent } from '../../service/streaming-event.ts';
import { userMessageOf } from '../../service/user-message-of.ts';
import { answering, type Happening } from './answering.ts';
import { isUnderWay, type ChatState } from './chat-state.ts';
import { chatStore, type Pending } from './chat-store.ts';
import { hasRun } from './ui-message.ts';
import { uiMessagesOf, userMessage } from './ui-messages-of.ts';

/** What a question does to an answer that is under way: it ends it, waits for its end, or is not asked. */
export type Flattening = 'switch' | 'concat' | 'exhaust';

export const flattenings = { switch: switchMap, concat: concatMap, exhaust: exhaustMap };

export interface ChatSession<T> {
  readonly state$: Observable<ChatState<T>>;
  /** The events of all its invocations. Hot; how they end is told by the state. */
  readonly events$: Observable<AiServiceStreamingEvent>;
  /** `options` may throw: the answer has failed then. */
  ask(input: Input, options: () => Omit<InvocationOptions, 'memoryId'>): void;
  stop(): void;
  /** Whether there was a failed or stopped answer to try again. */
  retry(): boolean;
  /** Whether it took effect. */
  decide(id: string, decision: ApprovalDecision): boolean;
  /** Tells of an error that no answer is to blame for. */
  fail(error: unknown): void;
  close(): void;
}

export interface ChatSessionOptions {
  readonly flatten: Flattening;
  /** Which conversation it is. Another one ends what runs, and shows what its memory holds. */
  readonly memoryId$: Observable<unknown>;
  /** Where a page is rendered once, and has to wait. */
  readonly pending?: Pending | undefined;
}

interface Question<T> {
  readonly id: string;
  readonly contents: readonly Content[];
  readonly start: (memoryId: unknown) => Invocation<T>;
  /** What has failed and goes on. */
  readonly failed?: Invocation<T> | undefined;
}

/**
 * A conversation with a service, as a state that changes: questions go in, and what comes of them is written into messages.
 *
 *     ask     -q-----r--------
 *     q       -t-t-t-          left when r is asked (`switch`)
 *     r               -t-t|
 *     status  ist----st---i    idle, submitted, streaming
 */
export function chatSession<T>(service: AiService<T>, { flatten, memoryId$, pending }: ChatSessionOptions): ChatSession<T> {
  const store = chatStore<T>(pending);
  const { dispatch, fail, happening, command } = store;
  const questions = new Subject<Question<T>>();
  const stops = new Subject<void>();
  /** Asked before it is known which conversation this is, and what it holds. */
  const early: Question<T>[] = [];
  /** The question that was begun last, and what came of it, if it could be started. */
  let last: { readonly question: Question<T>; readonly invocation?: Invocation<T> } | undefined;
  /** Why nobody will ever say which conversation this is. */
  let lost: { readonly error: unknown } | undefined;
  let count = 0;

  const broken = catchError((error: unknown) => {
    fail(error);
    return EMPTY;
  });
  const withdraw = () => {
    early.length = 0;
    dispatch({ type: 'withdrawn' });
  };
  const put = (question: Question<T>) => (questions.observed ? questions.next(question) : void early.push(question));
  const ask = (contents: readonly Content[], start: Question<T>['start']) => {
    const id = `question-${++count}`;
    dispatch({ type: 'asked', question: userMessage(id, contents, 'queued') });
    put({ id, contents, start });
  };

  const answered = (question: Question<T>, memoryId: unknown) => {
    const { id, failed, start } = question;
    const of = { question: id, answer: answerTo(id), isResumed: failed !== undefined };
    const begin = () => {
      last = { question };
      const invocation = failed?.resume() ?? start(memoryId);
      last = { question, invocation };
      return invocation;
    };
    return answering(begin, (told: Happening<T>) => dispatch({ ...of, ...told }), happening);
  };

  const remembered = (memoryId: unknown) =>
    defer(() => {
      const messages$ = toObservable(service.chatMemory(memoryId)?.messages() ?? []);
      const settled = pending?.();
      return messages$.pipe(
        take(1),
        tap((history) => dispatch({ type: 'remembered', messages: uiMessagesOf(history) })),
        finalize(() => settled?.()),
      );
    }).pipe(broken);

  const conversation = (memoryId: unknown) => {
    const asked$ = defer(() => merge(questions, from(early.splice(0))));
    const answered$ = asked$.pipe(flattenings[flatten]((question) => answered(question, memoryId)));
    // What is remembered stands above what is asked. To stop is to begin anew: what waits is not asked.
    return concat(
      remembered(memoryId),
      stops.pipe(
        startWith(undefined),
        switchMap(() => answered$),
      ),
    ).pipe(ignoreElements());
  };
  const clear = () => {
    early.length = 0;
    last = undefined;
    dispatch({ type: 'cleared' });
  };
  const ids = new Subject<unknown>();
  const running = ids
    .pipe(
      distinctUntilChanged(),
      switchMap((memoryId, place) => {
        if (place > 0) clear();
        return conversation(memoryId);
      }),
    )
    .subscribe();
  running.add(
    memoryId$.subscribe({
      next: (memoryId) => command(() => ids.next(memoryId)),
      error: (error: unknown) =>
        command(() => {
          lost = { error };
          if (early.length > 0) withdraw();
          fail(error);
        }),
    }),
  );

  /** The last answer, if it can be tried again. */
  const retriable = () => {
    const id = last && answerTo(last.question.id);
    const answer = store.now().messages.find((message) => message.id === id);
    return answer?.status === 'failed' || answer?.status === 'stopped' ? answer : undefined;
  };
  const again = () => {
    const answer = retriable();
    if (!last || !answer || isUnderWay(store.now())) return;
    const { question, invocation } = last;
    if (answer.status === 'failed') put({ ...question, failed: invocation });
    // What its tools have done is remembered with the question: asked once more, it is one more question.
    else if (hasRun(answer)) ask(question.contents, question.start);
    else put({ ...question, failed: undefined });
  };

  return {
    state$: store.state$,
    events$: store.events$,
    ask: (input, options) =>
      command(() => {
        if (running.closed || (flatten === 'exhaust' && isUnderWay(store.now()))) return;
        if (lost) return fail(lost.error);
        try {
          const { contents } = userMessageOf(input);
          ask(contents, (memoryId) => service.start(input, { ...options(), ...(memoryId !== undefined && { memoryId }) }));
        } catch (error) {
          fail(error);
        }
      }),
    stop: () =>
      command(() => {
        withdraw();
        stops.next();
      }),
    retry() {
      if (running.closed || isUnderWay(store.now())) return false;
      const isPossible = retriable() !== undefined;
      if (isPossible) command(again);
      else dispatch({ type: 'recovered' });
      return isPossible;
    },
    decide(id, decision) {
      const takesEffect = store.now().invocation?.decideToolCall(id, decision) ?? false;
      if (takesEffect) dispatch({ type: 'decided', id });
      return takesEffect;
    },
    fail,
    close() {
      command(() => {
        withdraw();
        running.unsubscribe();
      });
      command(store.complete);
    },
  };
}

const answerTo = (question: string): string => question.replace('question', 'answer');
