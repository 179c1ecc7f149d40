import { computed, type Signal } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { distinctUntilChanged, map, type BehaviorSubject, type Observable } from 'rxjs';
import type { ChatSession } from './chat-session.ts';
import { isUnderWay, type ChatState } from './chat-state.ts';
import type { ChatView, Observables, Signals, ToolApproval } from './chat.ts';
import { toolCallsIn, type UiAssistantMessage, type UiToolCall } from './ui-message.ts';

type Views<T> = { readonly [K in keyof ChatView<T>]: (state: ChatState<T>) => ChatView<T>[K] };

/** Everything that a chat shows, as signals and as Observables of the same names with a `$`. Needs an injection context. */
export function chatViews<T>(
  state$: BehaviorSubject<ChatState<T>>,
  decide: ChatSession<T>['decide'],
): Signals<ChatView<T>> & Observables<ChatView<T>> {
  const approvals = new WeakMap<UiToolCall, ToolApproval>();
  const approvalOf = (call: UiToolCall): ToolApproval => {
    const approval = approvals.get(call) ?? {
      ...call,
      approve: () => decide(call.id, true),
      deny: (reason) => decide(call.id, { approved: false, ...(reason !== undefined && { reason }) }),
    };
    approvals.set(call, approval);
    return approval;
  };
  const views: Views<T> = {
    messages: ({ messages }) => messages,
    text: (state) => lastAnswer(state)?.text ?? '',
    status: ({ status }) => status,
    isBusy: isUnderWay,
    toolCalls: (state) => toolCallsIn(lastAnswer(state)),
    approvals: (state) =>
      toolCallsIn(lastAnswer(state)).flatMap((call) => (call.status === 'awaitingApproval' ? [approvalOf(call)] : [])),
    error: ({ error }) => error,
    usage: ({ usage }) => usage,
    content: (state) => lastAnswer(state)?.content as T | undefined,
    invocation: ({ invocation }) => invocation,
  };
  const state = toSignal(state$, { requireSync: true });
  const shown: Record<string, Signal<unknown> | Observable<unknown>> = {};
  for (const [name, view] of Object.entries(views) as [string, (state: ChatState<T>) => unknown][]) {
    shown[name] = computed(() => view(state()), { equal: isSame });
    shown[`${name}$`] = state$.pipe(map(view), distinctUntilChanged(isSame));
  }
  return shown as unknown as Signals<ChatView<T>> & Observables<ChatView<T>>;
}

function lastAnswer<T>({ messages }: ChatState<T>): UiAssistantMessage | undefined {
  return messages.findLast((message) => message.role === 'assistant');
}

/** A list of the same items is the same list, though it was made anew. */
function isSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return Object.is(one, other);
  return one.length === other.length && one.every((item, place) => item === other[place]);
}
