import type { Signal } from '@angular/core';
import type { Observable, Subscription } from 'rxjs';
import type { ChatModel } from '../../chat/chat-model.ts';
import type { ChatRequest } from '../../chat/chat-request.ts';
import type { TokenUsage } from '../../chat/token-usage.ts';
import type { ApprovalDecision, Input, InvocationOptions } from '../../service/options.ts';
import type { Invocation } from '../../service/start-invocation.ts';
import type { AiServiceStreamingEvent } from '../../service/streaming-event.ts';
import type { ServiceOptions } from '../provided-service.ts';
import type { Reactive } from '../reactive.ts';
import type { ChatStatus } from './chat-state.ts';
import type { Flattening } from './flattening.ts';
import type { UiMessage, UiToolCall } from './ui-message.ts';

export interface ChatOptions<T> extends ServiceOptions<T> {
  /** Which conversation it is. Another one ends what runs, and shows what its memory holds. */
  readonly memoryId?: Reactive<unknown>;
  /** What a question does to an answer under way: `switch` ends it (the default), `concat` waits for it, `exhaust` is not asked. */
  readonly flatten?: Flattening | undefined;
  /** For tools and callbacks, as `context.parameters`: what it is when a question is asked. */
  readonly parameters?: Reactive<NonNullable<InvocationOptions['parameters']> | undefined>;
  /** Instead of the service's model. */
  readonly model?: Reactive<ChatModel | undefined> | undefined;
  /** Merged into each request. */
  readonly chatRequest?: Reactive<Partial<ChatRequest> | undefined> | undefined;
}

/** A tool call that waits for somebody's approval. */
export interface ToolApproval extends UiToolCall {
  /** Lets it run. Whether that took effect: not when it was decided or ended before. */
  approve(): boolean;
  /** The model is told the reason. */
  deny(reason?: string): boolean;
}

/** What a chat shows, each of it as a signal and as an Observable. */
export interface ChatView<T> {
  /** All questions and answers, those that the memory held at the beginning included. */
  readonly messages: readonly UiMessage[];
  /** The text of the last answer, as it streams; where the service has an `output`, the JSON of it. */
  readonly text: string;
  readonly status: ChatStatus;
  /** Whether an answer is under way: `submitted` or `streaming`. */
  readonly isBusy: boolean;
  /** Those of the last answer. */
  readonly toolCalls: readonly UiToolCall[];
  readonly approvals: readonly ToolApproval[];
  /** What the last answer failed with, until the next is begun. */
  readonly error: Error | undefined;
  /** Tokens of the last answer, as far as the provider has told. */
  readonly usage: TokenUsage | undefined;
  /** The object of the last answer, where the service has an `output`. */
  readonly content: T | undefined;
  /** The one under way, or the last. */
  readonly invocation: Invocation<T> | undefined;
}

export type Signals<V> = { readonly [K in keyof V]: Signal<V[K]> };
export type Observables<V> = { readonly [K in keyof V & string as `${K}$`]: Observable<V[K]> };

/** A conversation in a component. */
export interface Chat<T = string> extends Signals<ChatView<T>>, Observables<ChatView<T>> {
  /** All events of its invocations, also where the view changes once per frame. Hot. */
  readonly events$: Observable<AiServiceStreamingEvent>;
  /**
   * Asks, unless the text is blank. A signal or an Observable asks each of its values, but for `undefined`, until the subscription that is
   * returned is ended or the component is destroyed; to end it ends the asking and not the answer. What can't be asked is told by `error`.
   */
  send(input: Reactive<Input | undefined>, options?: Omit<InvocationOptions, 'memoryId'>): Subscription;
  /** Ends the answer under way, with its request and its tools; what waits to be asked is `unsent`. */
  stop(): void;
  /** Goes on with an answer that has failed, or asks once more what was stopped. Whether the last one was such; an `error` is gone in any case. */
  retry(): boolean;
  /** Answers a call that waits for approval, as its entry in `approvals` does. Whether it took effect. */
  decideToolCall(id: string, decision: ApprovalDecision): boolean;
  /** Ends one tool call; the model is told. Whether it took effect. */
  cancelToolCall(id: string): boolean;
}
