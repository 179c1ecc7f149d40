import { addTokenUsage } from '../../chat/token-usage.ts';
import { answerAfter, resumed, withCall, withoutOpenCalls } from './answer-after.ts';
import type { Happening } from './answering.ts';
import { emptyChat, isUnderWay, type ChatState } from './chat-state.ts';
import type { UiAssistantMessage, UiMessage, UiUserMessage } from './ui-message.ts';

/** What happens in a chat. */
export type ChatAction<T> =
  | { readonly type: 'cleared' }
  | { readonly type: 'remembered'; readonly messages: readonly UiMessage[] }
  /** Not of one answer: a memory that can't be read, a question that can't be asked. */
  | { readonly type: 'broken'; readonly error: Error }
  | { readonly type: 'asked'; readonly question: UiUserMessage }
  | { readonly type: 'withdrawn' | 'recovered' }
  /** A call may run: it waits for its turn. */
  | { readonly type: 'decided'; readonly id: string }
  | AnswerAction<T>;

/** What happens to one answer; question and answer are the ids of their messages. */
type AnswerAction<T> = Happening<T> & { readonly question: string; readonly answer: string; readonly isResumed: boolean };

/** A chat as it is after one more thing has happened. */
export function reduceChat<T>(state: ChatState<T>, action: ChatAction<T>): ChatState<T> {
  switch (action.type) {
    case 'cleared':
      return emptyChat;
    case 'remembered':
      return { ...state, messages: [...action.messages, ...state.messages] };
    case 'broken':
      // What runs goes on.
      return { ...state, error: action.error, ...(state.status === 'idle' && { status: 'error' }) };
    case 'asked': {
      const asked = { ...state, messages: [...state.messages, action.question] };
      return isUnderWay(state) ? asked : { ...asked, status: 'submitted', error: undefined };
    }
    case 'recovered':
      return isUnderWay(state) ? state : { ...state, status: 'idle', error: undefined };
    case 'withdrawn':
      return {
        ...state,
        // Where an answer is under way its end follows.
        ...(isUnderWay(state) && !state.messages.some(isOpen) && { status: 'idle' }),
        messages: state.messages.map((message) => (isQueued(message) ? { ...message, status: 'unsent' } : message)),
      };
    case 'decided':
      return { ...state, messages: state.messages.map((message) => withDecision(message, action.id)) };
    default:
      return withHappening(state, action);
  }
}

function withHappening<T>(state: ChatState<T>, action: AnswerAction<T>): ChatState<T> {
  const { answer } = action;
  switch (action.type) {
    case 'begun': {
      const begun = { ...state, status: 'submitted' as const, error: undefined, invocation: action.invocation };
      return action.isResumed
        ? { ...begun, messages: changed(state.messages, answer, resumed) }
        : { ...begun, usage: undefined, messages: withAnswerTo(state.messages, action) };
    }
    case 'event':
      return afterEvent(state, action);
    case 'completed':
      return { ...state, status: 'idle', messages: ended(state.messages, answer, { status: 'done' }) };
    case 'stopped':
      return { ...state, status: 'idle', messages: ended(state.messages, answer, { status: 'stopped' }) };
    case 'failed': {
      const { error } = action;
      // It may have failed before it could begin.
      const known = state.messages.some(({ id }) => id === answer) ? state.messages : withAnswerTo(state.messages, action);
      return { ...state, status: 'error', error, messages: ended(known, answer, { status: 'failed', error }) };
    }
  }
}

/** An answer that was stopped and is asked for again takes the place of the first one. */
function withAnswerTo<T>(messages: readonly UiMessage[], { answer: id, question }: AnswerAction<T>): readonly UiMessage[] {
  const answer: UiAssistantMessage = { id, role: 'assistant', parts: [], text: '', status: 'submitted' };
  return messages.flatMap((message): readonly UiMessage[] => {
    if (message.id === id) return [];
    return message.id === question && message.role === 'user' ? [{ ...message, status: 'sent' }, answer] : [message];
  });
}

function afterEvent<T>(state: ChatState<T>, { answer, event }: Extract<ChatAction<T>, { readonly type: 'event' }>): ChatState<T> {
  const messages = changed(state.messages, answer, (message) => answerAfter(message, event));
  const shown = messages.find(({ id }) => id === answer);
  return {
    ...state,
    messages,
    ...(shown?.status === 'streaming' && { status: 'streaming' }),
    ...(event.type === 'intermediateResponse' && { usage: addTokenUsage(state.usage, event.response.tokenUsage) }),
    ...(event.type === 'finalResponse' && { usage: event.response.tokenUsage }),
  };
}

function ended(
  messages: readonly UiMessage[],
  id: string,
  end: Pick<UiAssistantMessage, 'status' | 'error'>,
): readonly UiMessage[] {
  return changed(messages, id, (answer) => ({ ...withoutOpenCalls(answer), ...end }));
}

function changed(
  messages: readonly UiMessage[],
  id: string,
  change: (answer: UiAssistantMessage) => UiAssistantMessage,
): readonly UiMessage[] {
  return messages.map((message) => (message.id === id && message.role === 'assistant' ? change(message) : message));
}

const isQueued = (message: UiMessage): message is UiUserMessage => message.role === 'user' && message.status === 'queued';
const isOpen = ({ status }: UiMessage): boolean => status === 'submitted' || status === 'streaming';

/** What came of a decision may have been told already. */
function withDecision(message: UiMessage, id: string): UiMessage {
  if (message.role !== 'assistant' || !isOpen(message)) return message;
  return withCall(message, id, undefined, ({ call: { status } }) => ({
    call: status === 'awaitingApproval' ? { status: 'waiting' } : {},
  }));
}
