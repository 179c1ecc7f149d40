import {
  EMPTY,
  Subject,
  catchError,
  concat,
  distinctUntilChanged,
  ignoreElements,
  startWith,
  switchMap,
  tap,
  type Observable,
} from 'rxjs';
import type { AiService } from '../../service/ai-service.ts';
import type { ApprovalDecision, Input, InvocationOptions } from '../../service/options.ts';
import type { AiServiceStreamingEvent } from '../../service/streaming-event.ts';
import { userMessageOf } from '../../service/user-message-of.ts';
import { answering, type Happening } from './answering.ts';
import { chatQuestions, type Question } from './chat-questions.ts';
import { isUnderWay, type ChatState } from './chat-state.ts';
import { chatStore, type Pending } from './chat-store.ts';
import { flattenings, type Flattening } from './flattening.ts';
import { remembered } from './remembered.ts';

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
  const questions = chatQuestions(store);
  const stops = new Subject<void>();
  /** Why nobody will ever say which conversation this is. */
  let lost: { readonly error: unknown } | undefined;

  const answered = (question: Question<T>, memoryId: unknown) => {
    const { id, answer, failed } = question;
    const of = { question: id, answer, isResumed: failed !== undefined };
    const tell = (told: Happening<T>) => dispatch({ ...of, ...told });
    return answering(() => questions.begin(question, memoryId), tell, happening);
  };
  const conversation = (memoryId: unknown) => {
    const remembered$ = remembered(service, memoryId, pending).pipe(
      tap((messages) => dispatch({ type: 'remembered', messages })),
      catchError((error: unknown) => {
        fail(error);
        return EMPTY;
      }),
    );
    const answered$ = questions.asked$.pipe(flattenings[flatten]((question) => answered(question, memoryId)));
    // What is remembered stands above what is asked. To stop is to begin anew: what waits is not asked.
    return concat(
      remembered$,
      stops.pipe(
        startWith(undefined),
        switchMap(() => answered$),
      ),
    ).pipe(ignoreElements());
  };
  const ids = new Subject<unknown>();
  const running = ids
    .pipe(
      distinctUntilChanged(),
      switchMap((memoryId, place) => {
        if (place > 0) questions.clear();
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
          if (questions.areWaiting()) questions.withdraw();
          fail(error);
        }),
    }),
  );

  return {
    state$: store.state$,
    events$: store.events$,
    ask: (input, options) =>
      command(() => {
        if (running.closed || (flatten === 'exhaust' && isUnderWay(store.now()))) return;
        if (lost) return fail(lost.error);
        try {
          const { contents } = userMessageOf(input);
          questions.ask(contents, (memoryId) =>
            service.start(input, { ...options(), ...(memoryId !== undefined && { memoryId }) }),
          );
        } catch (error) {
          fail(error);
        }
      }),
    stop: () =>
      command(() => {
        questions.withdraw();
        stops.next();
      }),
    retry() {
      if (running.closed || isUnderWay(store.now())) return false;
      const isPossible = questions.canRetry();
      if (isPossible) command(questions.retry);
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
        questions.withdraw();
        running.unsubscribe();
      });
      command(store.complete);
    },
  };
}
