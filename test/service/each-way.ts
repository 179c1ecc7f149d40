import { Observable } from 'rxjs';
import type { ChatResponse } from '../../src/chat/chat-response.ts';
import { AiServiceCompletedEvent } from '../../src/event/lifecycle-events.ts';
import type { ChatMemory } from '../../src/memory/chat-memory.ts';
import { aiService, type AiService } from '../../src/service/ai-service.ts';
import type { InvocationOptions } from '../../src/service/options.ts';
import type { Result } from '../../src/service/result.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import type { Recording } from '../../src/testing/recording.ts';
import { scriptedModel, type ScriptedModel } from '../../src/testing/scripted-model.ts';
import { keptLogs, kept, outline, roomyMemory, type Script } from './support.ts';

/** The ways to call a service that a promise may be for. */
export const ways = ['stream', 'text', 'result', 'tokenStream'] as const;
type Way = (typeof ways)[number];

type WayScript = Omit<Script, 'legacy' | 'subscription' | 'pipe' | 'input'>;

interface Answered {
  /** What came, frame by frame: all events, the texts, `r` for a result, or what was called back. */
  readonly marbles: string;
  readonly error: unknown;
  readonly model: ScriptedModel;
  readonly memory: ChatMemory;
  /** What the memory holds in the end, in short. */
  readonly history: readonly string[];
  /** As the way tells it: absent for `text`. */
  readonly final: ChatResponse | undefined;
  /** As those learn who look on. */
  readonly result: Result<unknown> | undefined;
}

/** Asks a service in one of these ways, on virtual time and with a chat memory. */
export function answered(way: Way, { rounds, script, call = {}, meanwhile = {}, ...options }: WayScript): Answered {
  const model = scriptedModel(rounds, script);
  const memory = options.chatMemory ?? roomyMemory();
  let result: Result<unknown> | undefined;
  const listener = (event: unknown) => {
    if (event instanceof AiServiceCompletedEvent) result = event.result as Result<unknown>;
  };
  const service = aiService({ logger: keptLogs(), ...options, model, chatMemory: memory, listeners: [listener] });
  let final: ChatResponse | undefined;
  let recording: Recording<unknown> | undefined;
  const onFinal = (response: ChatResponse) => (final = response);
  runMarbles(({ expectEvents, record, at }) => {
    for (const [frame, action] of Object.entries(meanwhile)) at(Number(frame), action);
    recording = way === 'stream' ? expectEvents(streamed(service, call, onFinal)) : record(told(way, service, call, onFinal));
  });
  const { error } = recording!;
  return { marbles: recording!.drawing(), error, model, memory, history: outline(kept(memory)), final, result };
}

function streamed(
  service: AiService,
  call: InvocationOptions,
  onFinal: (response: ChatResponse) => void,
): Observable<AiServiceStreamingEvent> {
  return new Observable((subscriber) =>
    service.stream('hello', call).subscribe({
      next: (event) => {
        if (event.type === 'finalResponse') onFinal(event.response);
        subscriber.next(event);
      },
      error: (error: unknown) => subscriber.error(error),
      complete: () => subscriber.complete(),
    }),
  );
}

function told(
  way: Exclude<Way, 'stream'>,
  service: AiService,
  call: InvocationOptions,
  onFinal: (response: ChatResponse) => void,
): Observable<string> {
  if (way === 'text') return service.text('hello', call);
  return new Observable((subscriber) => {
    const end = (symbol: string, response: ChatResponse) => {
      onFinal(response);
      subscriber.next(symbol);
      subscriber.complete();
    };
    const fail = (error: unknown) => subscriber.error(error);
    if (way === 'result') {
      return service.result('hello', call).subscribe({ next: ({ finalResponse }) => end('r', finalResponse), error: fail });
    }
    const { cancel } = service
      .tokenStream('hello', call)
      .onPartialResponse((text) => subscriber.next(text))
      .onPartialThinking(() => subscriber.next('~'))
      .onPartialToolCall(() => subscriber.next(':'))
      .onIntermediateResponse(() => subscriber.next('%'))
      .beforeToolExecution(({ name }) => subscriber.next(`<${name}`))
      .onToolExecuted(({ request }) => subscriber.next(`>${request.name}`))
      .onCompleteResponse((response) => end('$', response))
      .onError(fail)
      .start();
    return cancel;
  });
}
