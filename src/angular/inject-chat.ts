import { DestroyRef, Injector, PendingTasks, assertInInjectionContext, inject, untracked } from '@angular/core';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
import { BehaviorSubject, EMPTY, Subscription, identity } from 'rxjs';
import { checkFlag, checkKnownOptions, invalidOption } from '../chat/option-checks.ts';
import type { Input, InvocationOptions } from '../service/options.ts';
import { chatSession } from './chat/chat-session.ts';
import { emptyChat, type ChatState } from './chat/chat-state.ts';
import { chatViews } from './chat/chat-views.ts';
import type { Chat, ChatOptions } from './chat/chat.ts';
import { flattenings } from './chat/flattening.ts';
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
  let isDestroyed = false;
  const fail = (error: unknown) => session.fail(error);
  const memoryId = followed(options.memoryId, injector, fail);
  const session = chatSession<T>(service, {
    flatten: options.flatten ?? 'switch',
    memoryId$: runsHere ? memoryId.value$ : EMPTY,
    pending: isServer ? () => tasks.add() : undefined,
  });
  destroyRef.onDestroy(() => {
    isDestroyed = true;
    session.close();
  });
  const state$ = new BehaviorSubject<ChatState<T>>(emptyChat);
  session.state$.pipe(isPerFrame ? perFrame(({ status }) => status) : identity).subscribe(state$);

  const parameters = latestOf(options.parameters, injector, fail);
  const model = latestOf(options.model, injector, fail);
  const chatRequest = latestOf(options.chatRequest, injector, fail);
  const current = () => given({ parameters: parameters(), model: model(), chatRequest: chatRequest() });
  const ask = (input: Input, sent: InvocationOptions) => {
    if (isBlank(input)) return;
    // A memoryId that was set a moment ago holds for what is asked now.
    memoryId.refresh();
    session.ask(
      input,
      asOfNow(() => ({ ...current(), ...sent })),
    );
  };

  return {
    ...chatViews(state$, (id, decision) => untracked(() => session.decide(id, decision))),
    events$: session.events$,
    send(input, sent = {}) {
      if (!runsHere || isDestroyed) return Subscription.EMPTY;
      // Whoever calls it in an effect asks once, and does not depend on what the service reads meanwhile.
      return untracked(() =>
        valuesOf(input, injector, fail)
          .pipe(takeUntilDestroyed(destroyRef))
          .subscribe({ next: (value) => value !== undefined && ask(value, sent), error: fail }),
      );
    },
    stop: () => untracked(session.stop),
    retry: () =>
      untracked(() => {
        memoryId.refresh();
        return session.retry();
      }),
    decideToolCall: (id, decision) => untracked(() => session.decide(id, decision)),
    cancelToolCall: (id) => untracked(() => state$.value.invocation?.cancelToolCall(id) ?? false),
  };
}

/** What a function gives now, also where it is asked for later; where it throws it is called again then. */
function asOfNow<V>(get: () => V): () => V {
  try {
    const value = get();
    return () => value;
  } catch {
    return get;
  }
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
