import { lastValueFrom, type Observable } from 'rxjs';
import type { AiServiceEvent } from '../../src/event/ai-service-event.ts';
import { aiService } from '../../src/service/ai-service.ts';
import type { AiServiceOptions, InvocationOptions } from '../../src/service/options.ts';
import type { Invocation } from '../../src/service/start-invocation.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import type { Recording } from '../../src/testing/recording.ts';
import type { ScriptedRound } from '../../src/testing/scripted-answer.ts';
import { scriptedModel, type ScriptedModelOptions } from '../../src/testing/scripted-model.ts';
import { kept, keptLogs, outline, roomyMemory } from './support.ts';

/** Waits for the last value, where a promise takes real time. */
export const ended = <T>(source: Observable<T>): Promise<T | undefined> => lastValueFrom(source, { defaultValue: undefined });

export interface StartedScript extends Omit<AiServiceOptions, 'model'> {
  readonly rounds: readonly (string | ScriptedRound)[];
  readonly script?: ScriptedModelOptions;
  readonly call?: InvocationOptions;
  /** What is done with the invocation, by frame. */
  readonly meanwhile?: Readonly<Record<number, (invocation: Invocation<string>) => unknown>>;
  /** What is done at each event, as it arrives. */
  readonly onEvent?: (event: AiServiceStreamingEvent, invocation: Invocation<string>) => void;
}

/** Starts one invocation at frame 0, with a chat memory unless the script says otherwise, and tells all that came of it. */
export function playStarted({ rounds, script, call, meanwhile = {}, onEvent, ...options }: StartedScript) {
  const model = scriptedModel(rounds, script);
  const logger = keptLogs();
  const fired: AiServiceEvent[] = [];
  const memory = 'chatMemory' in options ? options.chatMemory : roomyMemory();
  const service = aiService({
    logger,
    ...options,
    model,
    ...(memory && { chatMemory: memory }),
    listeners: [(event) => fired.push(event)],
  });
  /** What `meanwhile` returned or threw, by frame. */
  const answers: Record<number, unknown> = {};
  let recording: Recording<AiServiceStreamingEvent> | undefined;
  runMarbles(({ expectEvents, at }) => {
    const invocation = service.start('hello', call);
    if (onEvent) invocation.events$.subscribe({ next: (event) => onEvent(event, invocation), error: () => undefined });
    recording = expectEvents(invocation.events$);
    for (const [frame, action] of Object.entries(meanwhile))
      at(Number(frame), () => {
        try {
          answers[Number(frame)] = action(invocation);
        } catch (error) {
          answers[Number(frame)] = error;
        }
      });
  });
  return {
    marbles: recording!.drawing(),
    values: recording!.values,
    error: recording!.error,
    answers,
    model,
    service,
    fired,
    firedTypes: fired.map(({ type }) => type).filter((type) => type !== 'invocationSummary'),
    logs: logger.logs,
    memory,
    get history() {
      return outline(kept(memory));
    },
  };
}
