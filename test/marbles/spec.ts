import type { MonoTypeOperatorFunction, Observable } from 'rxjs';
import type { ChatModel, ChatModelEvent } from '../../src/chat/chat-model.ts';
import type { AiServiceOptions } from '../../src/service/options.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import type { ScriptedRound } from '../../src/testing/scripted-answer.ts';
import type { ScriptedToolOptions } from '../../src/testing/scripted-tool.ts';
import type { Tool } from '../../src/tool/types.ts';

/** One behaviour, as it is tested and drawn. */
export interface Spec {
  readonly title: string;
  readonly sentence: string;
  /**
   * What happens when, one lane under the other on one axis of time. Lanes of what is given: `model` (and others that end in
   * that word), the tools by their names, `undo` and a tool's name, `user`, and the `sources`. Lanes of what is expected: `events`,
   * `text`, `result` and `partial`, maybe with a word before it. A source stands where it is subscribed to; `!` below it tells
   * when it was left before its end. A line of `^` and `!` below what is expected tells when to subscribe and when to leave.
   */
  readonly diagram: string;
  /** How the service is called; each lane of what is expected is a call of its own, but for `start`. */
  readonly call?: 'stream' | 'start' | 'tokenStream';
  /** What the user says: `hello` unless something else is said. */
  readonly input?: string;
  /** What the model's capital letters call; without more, the tool that begins with the letter. */
  readonly calls?: Readonly<Record<string, { readonly name?: string; readonly arguments?: object | string }>>;
  /** Further symbols of the model. */
  readonly says?: Readonly<Record<string, ChatModelEvent>>;
  /** More about the model's answers, by number: the first is 1. */
  readonly answers?: Readonly<Record<number, Omit<ScriptedRound, 'marbles'>>>;
  /** More about the tools, by name. */
  readonly tools?: Readonly<Record<string, ToolSettings>>;
  /** Lanes of what else takes time, and what their letters stand for; the options make use of them. */
  readonly sources?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly options?: ServiceSettings | ((kit: SpecKit) => ServiceSettings);
  /** What the symbols of the lane `user` do. */
  readonly user?: Readonly<Record<string, UserAction>>;
  /** What is made of the stream of events before it is subscribed to. */
  readonly pipe?: MonoTypeOperatorFunction<AiServiceStreamingEvent>;

  /** What a symbol of what is expected must be at least, wherever it comes; of a list each in its turn. */
  readonly where?: Readonly<Record<string, unknown>>;
  /** The error that `#` stands for, with its name. */
  readonly fails?: string;
  /** What memory holds in the end, a line for each message. */
  readonly memory: readonly string[];
  /** The tools that each request offers, and the choice that it leaves. */
  readonly offers?: readonly string[];
}

export interface ToolSettings extends ScriptedToolOptions {
  /** It is not among the service's tools: the options hand it out. */
  readonly isElsewhere?: true;
}

export type ServiceSettings = Partial<Omit<AiServiceOptions<unknown>, 'model' | 'chatMemory' | 'logger' | 'idGenerator'>>;

/** What the options can make use of, by the names of the lanes. */
export interface SpecKit {
  model(lane: string): ChatModel;
  tool(lane: string): Tool;
  source<T>(lane: string): Observable<T>;
}

/** What the application does with an invocation that it has started; calls are known by their letters. */
export type UserAction =
  | { readonly cancel: string }
  | { readonly cancelToolCall: string }
  | { readonly approve: string }
  | { readonly deny: string; readonly reason: string };

/** Says that this is one. */
export const spec = (behaviour: Spec): Spec => behaviour;
