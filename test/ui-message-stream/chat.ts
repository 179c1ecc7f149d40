import {
  AbstractChat,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type ChatState,
  type ChatStatus,
} from 'ai';
import { BehaviorSubject, filter, firstValueFrom } from 'rxjs';
import type { TestMessage } from './read.ts';

type Shown = Pick<ChatState<TestMessage>, 'status' | 'messages' | 'error'>;

/** What the AI SDK's hooks for React, Vue and Svelte are made of, with a state that can be waited for. */
export class TestChat extends AbstractChat<TestMessage> {
  private readonly shown$: BehaviorSubject<Shown>;

  constructor(api: string, id = 'chat-1') {
    const shown$ = new BehaviorSubject<Shown>({ status: 'ready', messages: [], error: undefined });
    const set = (change: Partial<Shown>) => shown$.next({ ...shown$.value, ...change });
    const state: ChatState<TestMessage> = {
      get status() {
        return shown$.value.status;
      },
      set status(status: ChatStatus) {
        set({ status });
      },
      get error() {
        return shown$.value.error;
      },
      set error(error: Error | undefined) {
        set({ error });
      },
      get messages() {
        return shown$.value.messages;
      },
      set messages(messages: TestMessage[]) {
        set({ messages });
      },
      pushMessage: (message) => set({ messages: [...shown$.value.messages, message] }),
      popMessage: () => set({ messages: shown$.value.messages.slice(0, -1) }),
      replaceMessage: (index, message) =>
        set({ messages: shown$.value.messages.map((known, place) => (place === index ? structuredClone(message) : known)) }),
      snapshot: (thing) => structuredClone(thing),
    };
    super({
      id,
      state,
      transport: new DefaultChatTransport({ api }),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
    this.shown$ = shown$;
  }

  /** Resolves when the chat looks like that. */
  async until(looks: (shown: Shown) => boolean): Promise<void> {
    await firstValueFrom(this.shown$.pipe(filter(looks)), { defaultValue: undefined });
  }
}

export const isReady = ({ status }: Shown): boolean => status === 'ready' || status === 'error';
