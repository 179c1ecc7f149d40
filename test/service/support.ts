import { expect } from 'vitest';
import { identity, type MonoTypeOperatorFunction, type Observable } from 'rxjs';
import type { ChatMessage } from '../../src/chat/message.ts';
import { fromValue } from '../../src/chat/value.ts';
import type { AiServiceEvent } from '../../src/event/ai-service-event.ts';
import { eventHub } from '../../src/event/event-hub.ts';
import { AiServiceInvocationSummaryEvent } from '../../src/event/invocation-summary-event.ts';
import type { ChatMemory } from '../../src/memory/chat-memory.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { aiService, type AiService } from '../../src/service/ai-service.ts';
import { invocation } from '../../src/service/invocation.ts';
import { memories } from '../../src/service/memories.ts';
import { modes } from '../../src/service/modes.ts';
import type { AiServiceOptions, Input, InvocationOptions } from '../../src/service/options.ts';
import { settings } from '../../src/service/settings.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import type { ScriptedRound } from '../../src/testing/scripted-answer.ts';
import { scriptedModel, type ScriptedModel, type ScriptedModelOptions } from '../../src/testing/scripted-model.ts';
import type { Logger } from '../../src/tool/types.ts';

/** What the model is told of a call whose result is missing. */
export const neutral = 'Tool execution did not complete.';

/** A memory that keeps everything a test writes. */
export const roomyMemory = (): ChatMemory => messageWindowMemory({ maxMessages: 1000 });

/** What a memory holds, read at once. */
export function kept(memory: ChatMemory | undefined): readonly ChatMessage[] {
  let messages: readonly ChatMessage[] = [];
  if (memory) {
    fromValue(() => memory.messages()).subscribe({
      next: (value) => {
        messages = value;
      },
      error: (error: unknown) => {
        throw error;
      },
    });
  }
  return messages;
}

/** A history in short: `user: hello`, `assistant: text [ids of its calls]`, `A: a result`, `A! an error result`. */
export function outline(messages: readonly ChatMessage[]): readonly string[] {
  return messages.map((message) => {
    switch (message.role) {
      case 'system':
        return `system: ${message.text}`;
      case 'user':
        return `user: ${textOf(message)}`;
      case 'assistant':
        return `assistant: ${[message.text, message.toolExecutionRequests.length > 0 && `[${message.toolExecutionRequests.map(({ id }) => id).join(' ')}]`].filter(Boolean).join(' ')}`;
      case 'tool':
        return `${message.id}${message.isError ? '!' : ':'} ${textOf(message)}`;
    }
  });
}

function textOf({ contents }: Extract<ChatMessage, { contents: unknown }>): string {
  return contents.map((content) => (content.type === 'text' ? content.text : `(${content.type})`)).join('+');
}

/** Every call has its one result right behind it, no id comes twice, and the user is heard at most `questions` times. */
export function expectValid(messages: readonly ChatMessage[], questions = 1): void {
  const ids = messages.flatMap((message) =>
    message.role === 'assistant' ? message.toolExecutionRequests.map(({ id }) => id) : [],
  );
  expect(new Set(ids).size).toBe(ids.length);
  const expected: string[] = [];
  messages.forEach((message, place) => {
    if (message.role !== 'assistant') return;
    const behind = messages.slice(place + 1, place + 1 + message.toolExecutionRequests.length);
    expect(behind.map((result) => (result.role === 'tool' ? result.id : result.role))).toEqual(
      message.toolExecutionRequests.map(({ id }) => id),
    );
    expected.push(...message.toolExecutionRequests.map(({ id }) => id));
  });
  expect(messages.flatMap((message) => (message.role === 'tool' ? [message.id] : []))).toEqual(expected);
  expect(messages.filter(({ role }) => role === 'user').length).toBeLessThanOrEqual(questions);
}

/** A logger that keeps what it is told. */
export function keptLogs(): Logger & { readonly logs: readonly (readonly unknown[])[] } {
  const logs: unknown[][] = [];
  const log =
    (level: string) =>
    (...what: unknown[]) =>
      void logs.push([level, ...what]);
  return { logs, warn: log('warn'), error: log('error'), debug: log('debug') };
}

/** The same service with the defaults of the legacy mode. */
function legacyStream(
  options: AiServiceOptions,
): (input: Input, invocationOptions?: InvocationOptions) => Observable<AiServiceStreamingEvent> {
  const checked = settings(options);
  const service = { settings: checked, hub: eventHub(checked.listeners ?? [], checked.logger), memoryFor: memories(checked).get };
  return (input, invocationOptions = {}) => invocation(service, modes.legacy, input, invocationOptions);
}

export interface Script extends Omit<AiServiceOptions, 'model'> {
  readonly rounds: readonly (string | ScriptedRound)[];
  readonly script?: ScriptedModelOptions;
  readonly legacy?: boolean;
  /** When to subscribe and when to leave. */
  readonly subscription?: string;
  /** What is done from outside, by frame. */
  readonly meanwhile?: Readonly<Record<number, () => void>>;
  readonly input?: Input;
  readonly call?: InvocationOptions;
  /** What is made of the stream before it is subscribed to. */
  readonly pipe?: MonoTypeOperatorFunction<AiServiceStreamingEvent>;
}

export interface Played {
  readonly marbles: string;
  readonly values: readonly AiServiceStreamingEvent[];
  readonly error: unknown;
  readonly model: ScriptedModel;
  readonly service: AiService;
  /** What the memory holds in the end, in short. */
  readonly history: readonly string[];
  readonly memory: ChatMemory | undefined;
  /** The events for those who look on, but for the summaries. */
  readonly fired: readonly AiServiceEvent[];
  readonly firedTypes: readonly string[];
  readonly summaries: readonly AiServiceInvocationSummaryEvent[];
  readonly logs: readonly (readonly unknown[])[];
}

/** Runs one invocation on virtual time, with a chat memory unless the script says otherwise, and tells all that came of it. */
export function play({
  rounds,
  script,
  legacy = false,
  subscription = '^',
  meanwhile = {},
  input = 'hello',
  call = {},
  pipe = identity,
  ...options
}: Script): Played {
  const model = scriptedModel(rounds, script);
  const fired: AiServiceEvent[] = [];
  const summaries: AiServiceInvocationSummaryEvent[] = [];
  const listener = (event: AiServiceEvent) => {
    if (event instanceof AiServiceInvocationSummaryEvent) summaries.push(event);
    else fired.push(event);
  };
  const logger = keptLogs();
  const memory = 'chatMemory' in options || options.chatMemoryProvider ? options.chatMemory : roomyMemory();
  const all: AiServiceOptions = {
    logger,
    ...options,
    model,
    ...(memory && { chatMemory: memory }),
    listeners: [...(options.listeners ?? []), listener],
  };
  const service = aiService(all);
  const stream = legacy ? legacyStream(all) : service.stream;
  const watch = ({ expectEvents, at }: Tools) => {
    for (const [frame, action] of Object.entries(meanwhile)) at(Number(frame), action);
    return expectEvents(pipe(stream(input, call)), subscription);
  };
  return recorded(watch, (recording) => ({
    marbles: recording.drawing(),
    values: recording.values,
    error: recording.error,
    model,
    service,
    get history() {
      return outline(kept(memory));
    },
    memory,
    fired,
    firedTypes: fired.map(({ type }) => type),
    summaries,
    logs: logger.logs,
  }));
}

type Tools = Parameters<Parameters<typeof runMarbles>[0]>[0];

/** Lets a test look at its recording when time has run out. */
function recorded<R, T>(test: (tools: Tools) => R, then: (recording: R) => T): T {
  let recording: R | undefined;
  runMarbles((tools) => {
    recording = test(tools);
  });
  return then(recording!);
}
