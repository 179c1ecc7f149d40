import { DestroyRef, Injector, PendingTasks, assertInInjectionContext, inject } from '@angular/core';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
import { BehaviorSubject, EMPTY, Subscription, identity } from 'rxjs';
import { checkFlag, checkKnownOptions, invalidOption } from '../chat/option-checks.ts';
import type { InvocationOptions } from '../service/options.ts';
import { chatSession, flattenings } from './chat/chat-session.ts';
import { emptyChat, type ChatState } from './chat/chat-state.ts';
import { chatViews } from './chat/chat-views.ts';
import type { Chat, ChatOptions } from './chat/chat.ts';
import { perFrame } from './per-frame.ts';
import { providedService } from './provided-service.ts';
import { isBlank } from './is-blank.ts';
import { followed, latestOf, valuesOf } from './reactive.ts';

const known = ['service', 'perFrame', 'onServer', 'memoryId', 'flatten', 'parameters', 'model', 'chatRequest'];

/**
 * A conversation with a provided service, for one component: signals and Observables of what there is to show. What runs is
 * ended when the component is destroyed. While a server renders the page, nothing is asked, unless `onServer` says so.
 *
 * The model remembers earlier questions only where the service has a `chatMemory` or a `chatMemoryProvider`.
 *
 * Throws a `ConfigurationError` where no such service is provided or an option can't work, and outside an injection context.
 *
 * @example
 * readonly chat = injectChat();
 * // <p>{{ chat.text() }}</p> <button (click)="chat.send('Hello')">Say hello</button>
 */
export function injectChat<T = string>(options: ChatOptions<T> = {}): Chat<T> {
  assertInInjectionContext(injectChat);
  checkOptions(options);
  const injector = inject(Injector);
  const destroyRef = inject(DestroyRef);
  const tasks = inject(PendingTasks);
  const { service, isPerFrame, isServer, runsHere } = providedService<T>(options);
  const memoryId = followed(options.memoryId, injector);
  const session = chatSession<T>(service, {
    flatten: options.flatten ?? 'switch',
    memoryId$: runsHere ? memoryId.value$ : EMPTY,
    pending: () => (isServer ? tasks.add() : () => undefined),
  });
  destroyRef.onDestroy(session.close);
  const state$ = new BehaviorSubject<ChatState<T>>(emptyChat);
  session.state$.pipe(isPerFrame ? perFrame(({ status }) => status) : identity).subscribe(state$);

  const parameters = latestOf(options.parameters, injector, session.fail);
  const model = latestOf(options.model, injector, session.fail);
  const chatRequest = latestOf(options.chatRequest, injector, session.fail);
  const current = (): InvocationOptions => given({ parameters: parameters(), model: model(), chatRequest: chatRequest() });

  return {
    ...chatViews(state$),
    events$: session.events$,
    send(input, sent = {}) {
      if (!runsHere) return Subscription.EMPTY;
      return valuesOf(input, injector)
        .pipe(takeUntilDestroyed(destroyRef))
        .subscribe({
          next(value) {
            if (value === undefined || isBlank(value)) return;
            // A memoryId that was set a moment ago holds for what is asked now.
            memoryId.refresh();
            session.ask(value, { ...current(), ...sent });
          },
          error: session.fail,
        });
    },
    stop: session.stop,
    retry() {
      memoryId.refresh();
      return session.retry();
    },
    decideToolCall: (id, decision) => state$.value.invocation?.decideToolCall(id, decision) ?? false,
    cancelToolCall: (id) => state$.value.invocation?.cancelToolCall(id) ?? false,
  };
}

/** An option that has no value now is none. */
function given(options: Record<string, unknown>): InvocationOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function checkOptions<T>(options: ChatOptions<T>): void {
  checkKnownOptions('injectChat', options, known);
  checkFlag('injectChat', 'perFrame', options.perFrame);
  checkFlag('injectChat', 'onServer', options.onServer);
  const { flatten = 'switch' } = options;
  if (!Object.hasOwn(flattenings, flatten))
    throw invalidOption('injectChat', 'flatten', flatten, `it must be one of ${Object.keys(flattenings).join(', ')}`);
}
