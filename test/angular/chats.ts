import {
  DestroyRef,
  EnvironmentInjector,
  createEnvironmentInjector,
  runInInjectionContext,
  type EnvironmentProviders,
  type Provider,
} from '@angular/core';
import type { Observable } from 'rxjs';
import type { Chat, ChatOptions } from '../../src/angular/chat/chat.ts';
import type { UiMessage } from '../../src/angular/chat/ui-message.ts';
import { injectChat } from '../../src/angular/inject-chat.ts';
import { provideFakeAiService } from '../../src/angular/testing/provide-fake-ai-service.ts';
import type { AiServiceOptions } from '../../src/service/options.ts';
import type { ScriptedAnswer } from '../../src/testing/scripted-answer.ts';
import type { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { TestBed } from './test-bed.ts';

/** A chat in an injector of its own, as a component's would be. */
export function chatOf(providers: readonly (Provider | EnvironmentProviders)[], options: ChatOptions<string> = {}) {
  TestBed.resetTestingModule().configureTestingModule({ providers: [...providers] });
  return secondChat(options);
}

/** One more chat beside it, with the same providers. */
export function secondChat(options: ChatOptions<string> = {}) {
  const injector = createEnvironmentInjector([], TestBed.inject(EnvironmentInjector));
  const chat = runInInjectionContext(injector, () => injectChat(options));
  return { chat, destroy: () => injector.destroy(), destroyRef: injector.get(DestroyRef) };
}

export function scripted(
  script: readonly ScriptedAnswer[] | ScriptedModel,
  service: Omit<AiServiceOptions, 'model'> = {},
  options: ChatOptions<string> = {},
) {
  return chatOf([provideFakeAiService(script, service)], options);
}

/** What a chat shows, a line a message: whose it is, its status, its parts. */
export function shown({ messages }: Pick<Chat, 'messages'>): readonly string[] {
  return messages().map(line);
}

function line(message: UiMessage): string {
  if (message.role === 'user') return `user ${message.status}: ${message.text}`;
  const parts = message.parts.map((part) =>
    part.type === 'toolCall'
      ? `[${part.call.name} ${part.call.status}]`
      : part.type === 'thinking'
        ? `(${part.text})`
        : part.text,
  );
  return `assistant ${message.status}: ${parts.join(' ')}`.trimEnd();
}

/** What it emits, as it comes. None of a chat's Observables ever fails. */
export function watch<T>(source: Observable<T>, next: (value: T) => void): void {
  source.subscribe({
    next,
    error(error: unknown) {
      throw error;
    },
  });
}
