import type { TokenUsage } from '../../chat/token-usage.ts';
import type { Invocation } from '../../service/start-invocation.ts';
import { toolCallsIn, type UiMessage } from './ui-message.ts';

/** Nothing runs, nothing has come yet, something has come, or the last answer failed. */
export type ChatStatus = 'idle' | 'submitted' | 'streaming' | 'error';

/** All that a chat shows at one time. */
export interface ChatState<T> {
  readonly messages: readonly UiMessage[];
  readonly status: ChatStatus;
  readonly error: Error | undefined;
  /** Of the last invocation, as far as the provider has told. */
  readonly usage: TokenUsage | undefined;
  readonly invocation: Invocation<T> | undefined;
}

export const emptyChat: ChatState<never> = {
  messages: [],
  status: 'idle',
  error: undefined,
  usage: undefined,
  invocation: undefined,
};

export function isUnderWay({ status }: Pick<ChatState<unknown>, 'status'>): boolean {
  return status === 'submitted' || status === 'streaming';
}

/** Whether a page that is rendered once has to wait: not for somebody's approval, which nobody can give there. */
export function isAwaited(state: Pick<ChatState<unknown>, 'status' | 'messages'>): boolean {
  if (!isUnderWay(state)) return false;
  const statuses = toolCallsIn(state.messages.findLast(({ role }) => role === 'assistant')).map(({ status }) => status);
  return !statuses.includes('awaitingApproval') || statuses.includes('running');
}
