import { BehaviorSubject, Subject, type Observable } from 'rxjs';
import type { AiServiceStreamingEvent } from '../../service/streaming-event.ts';
import { asError } from '../../tool/tool-errors.ts';
import { emptyChat, isAwaited, type ChatState } from './chat-state.ts';
import { inTurns, type Turns } from './in-turns.ts';
import { reduceChat, type ChatAction } from './reduce-chat.ts';

/** Tells whoever renders the page that it has to wait; what it returns ends that. */
export type Pending = () => () => void;

/** The state of a chat, which actions change one after the other. */
export interface ChatStore<T> extends Turns {
  readonly state$: Observable<ChatState<T>>;
  readonly events$: Observable<AiServiceStreamingEvent>;
  now(): ChatState<T>;
  dispatch(action: ChatAction<T>): void;
  /** An error that no answer is to blame for. */
  fail(error: unknown): void;
  complete(): void;
}

export function chatStore<T>(pending: Pending | undefined): ChatStore<T> {
  const state$ = new BehaviorSubject<ChatState<T>>(emptyChat);
  const events$ = new Subject<AiServiceStreamingEvent>();
  const turns = inTurns();
  let release: (() => void) | undefined;
  const dispatch = (action: ChatAction<T>) =>
    turns.happening(() => {
      const state = reduceChat(state$.value, action);
      const mustWait = pending !== undefined && isAwaited(state);
      if (mustWait) release ??= pending();
      state$.next(state);
      if (action.type === 'event') events$.next(action.event);
      if (mustWait) return;
      release?.();
      release = undefined;
    });
  return {
    ...turns,
    state$: state$.asObservable(),
    events$: events$.asObservable(),
    now: () => state$.value,
    dispatch,
    fail: (error) => dispatch({ type: 'broken', error: asError(error) }),
    complete() {
      state$.complete();
      events$.complete();
    },
  };
}
