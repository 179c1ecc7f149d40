import {
  BehaviorSubject,
  EMPTY,
  type Observable,
  Subject,
  catchError,
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
} from 'rxjs';
import { toObservable } from '../../chat/value.ts';
import type { AiService } from '../../service/ai-service.ts';
import type { Input, InvocationOptions } from '../../service/options.ts';
import type { Invocation } from '../../service/start-invocation.ts';
import type { AiServiceStreamingEvent } from '../../service/streaming-event.ts';
import { userMessageOf } from '../../service/user-message-of.ts';
import { asError } from '../../tool/tool-errors.ts';
import { emptyChat, isUnderWay, type ChatState } from './chat-state.ts';
import { answering, type Happening } from './answering.ts';
import { reduceChat, type ChatAction } from './reduce-chat.ts';
import { uiMessagesOf, userMessage } from './ui-messages-of.ts';

/** What a question does to an answer that is under way: it ends it, waits for its end, or is not asked. */
export type Flattening = 'switch' | 'concat' | 'exhaust';

export const flattenings = { switch: switchMap, concat: concatMap, exhaust: exhaustMap };

export interface ChatSession<T> {
  readonly state$: Observable<ChatState<T>>;
  /** The events of all its invocations. Hot; how they end is told by the state. */
  readonly events$: Observable<AiServiceStreamingEvent>;
  ask(input: Input, options: Omit<InvocationOptions, 'memoryId'>): void;
  stop(): void;
  /** Whether there was a failed or stopped answer to try again. */
  retry(): boolean;
  /** Tells of an error that no answer is to blame for. */
  fail(error: unknown): void;
  close(): void;
}

export interface ChatSessionOptions {
  readonly flatten: Flattening;
  /** Which conversation it is. Another one ends what runs, and shows what its memory holds. */
  readonly memoryId$: Observable<unknown>;
  /** Called when something begins that whoever renders the page has to wait for; what it returns is called at the end. */
  readonly pending: () => () => void;
}

interface Question<T> {
  readonly id: string;
  readonly start: (memoryId: unknown) => Invocation<T>;
  /** What has failed and goes on. */
  readonly failed?: Invocation<T>;
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
  const state$ = new BehaviorSubject<ChatState<T>>(emptyChat);
  const events$ = new Subject<AiServiceStreamingEvent>();
  const questions = new Subject<Question<T>>();
  const stops = new Subject<void>();
  /** Asked before it is known which conversation this is. */
  const early: Question<T>[] = [];
  /** The question that was begun last. */
  let last: Question<T> | undefined;
  let count = 0;

  const dispatch = (action: ChatAction<T>) => state$.next(reduceChat(state$.value, action));
  const fail = (error: unknown) => dispatch({ type: 'broken', error: asError(error) });
  const broken = catchError((error: unknown) => {
    fail(error);
    return EMPTY;
  });
  const isBusy = () => early.length > 0 || isUnderWay(state$.value);
  const put = (question: Question<T>) => (questions.observed ? questions.next(question) : void early.push(question));

  const answered = (question: Question<T>, memoryId: unknown) =>
    defer(() => {
      const { id, failed } = question;
      const of = { question: id, answer: answerTo(id), isResumed: failed !== undefined };
      const begin = () => {
        const invocation = failed?.resume() ?? question.start(memoryId);
        last = question;
        return invocation;
      };
      const tell = (happening: Happening<T>) => {
        dispatch({ ...of, ...happening });
        if (happening.type === 'event') events$.next(happening.event);
      };
      return answering(begin, tell).pipe(finalize(pending()));
    }).pipe(broken);

  const remembered = (memoryId: unknown) =>
    defer(() => {
      const messages$ = toObservable(service.chatMemory(memoryId)?.messages() ?? []);
      const settled = pending();
      return messages$.pipe(
        take(1),
        tap({ next: (history) => dispatch({ type: 'remembered', messages: uiMessagesOf(history) }), finalize: settled }),
      );
    }).pipe(broken);

  const conversation = (memoryId: unknown) => {
    const asked$ = defer(() => merge(questions, from(early.splice(0))));
    const answered$ = asked$.pipe(flattenings[flatten]((question) => answered(question, memoryId)));
    // To stop is to begin anew: what waits is not asked.
    return merge(
      remembered(memoryId),
      stops.pipe(
        startWith(undefined),
        switchMap(() => answered$),
      ),
    ).pipe(ignoreElements());
  };
  const withdraw = () => {
    early.length = 0;
    dispatch({ type: 'withdrawn' });
  };
  const clear = () => {
    last = undefined;
    dispatch({ type: 'cleared' });
  };
  const running = memoryId$
    .pipe(
      distinctUntilChanged(),
      switchMap((memoryId, place) => {
        if (place > 0) clear();
        return conversation(memoryId);
      }),
      // Nobody will ever say which conversation this is.
      tap({ error: withdraw }),
      broken,
    )
    .subscribe();

  return {
    state$: state$.asObservable(),
    events$: events$.asObservable(),
    ask(input, options) {
      if (running.closed || (flatten === 'exhaust' && isBusy())) return;
      try {
        const id = `question-${++count}`;
        const { contents } = userMessageOf(input);
        dispatch({ type: 'asked', question: userMessage(id, contents, 'queued') });
        put({ id, start: (memoryId) => service.start(input, { ...options, ...(memoryId !== undefined && { memoryId }) }) });
      } catch (error) {
        fail(error);
      }
    },
    stop() {
      withdraw();
      stops.next();
    },
    retry() {
      if (running.closed || isBusy()) return false;
      const answer = last && state$.value.messages.find(({ id }) => id === answerTo(last!.id));
      if (!last || !(answer?.status === 'failed' || answer?.status === 'stopped')) {
        dispatch({ type: 'recovered' });
        return false;
      }
      const { id, start } = last;
      put({ id, start, ...(answer.status === 'failed' && { failed: state$.value.invocation! }) });
      return true;
    },
    fail,
    close() {
      withdraw();
      running.unsubscribe();
      state$.complete();
      events$.complete();
    },
  };
}

const answerTo = (question: string): string => question.replace('question', 'answer');
