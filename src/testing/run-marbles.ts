import type { Observable } from 'rxjs';
import type { ChatMemory } from '../memory/chat-memory.ts';
import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';
import { compareLines } from './compare-lines.ts';
import { compareMemory, type ExpectedMessage } from './compare-memory.ts';
import type { Legend } from './difference.ts';
import { eventSymbol, type ToolLetters } from './event-symbol.ts';
import { parseMarbles } from './marbles.ts';
import { recorder, type ComparedRecording } from './recording.ts';
import { scriptedModel, type ScriptedModel, type ScriptedModelOptions, type ScriptedAnswer } from './scripted-model.ts';
import { scriptedTool, type ScriptedTool, type ScriptedToolOptions } from './scripted-tool.ts';
import { sequentialIds } from './sequential-ids.ts';
import { toolScheduler } from './tool-scheduler.ts';

export interface MarbleKit {
  /** `scriptedModel`, whose letters the diagrams know. */
  model(answers: readonly ScriptedAnswer[], options?: ScriptedModelOptions): ScriptedModel;
  /** `scriptedTool`. */
  tool(name: string, marbles: string | readonly string[], options?: ScriptedToolOptions): ScriptedTool;
  /** Ids that are the same in every run, for the `idGenerator` of a service. */
  readonly ids: () => string;
  /** Expects the events of an invocation; `^--!` tells when to subscribe and when to leave. */
  expectEvents(source: Observable<AiServiceStreamingEvent>, subscription?: string): ComparedRecording<AiServiceStreamingEvent>;
  /** Expects what any source emits, each value drawn as the text that `symbol` gives it. */
  record<T>(source: Observable<T>, symbol?: (value: T) => string, subscription?: string): ComparedRecording<T>;
  /** Expects when a scripted model or tool was subscribed to, and when it was left: one `--^--!` for each time. */
  expectSubscriptions(scripted: { subscriptions(): readonly string[] }): { toBe(...subscriptions: readonly string[]): void };
  /** Expects the messages of a memory in the end: each as a line (`user: Hello`, `add: 2`), or as what the message has at least. */
  expectMemory(memory: ChatMemory): { toBe(...messages: readonly ExpectedMessage[]): void };
  /** Does something at a frame, counted from now. */
  at(frame: number, action: () => void): void;
}

/**
 * Runs a test on virtual time, to its end. No real time passes in it. How events are drawn, `eventSymbol` tells; `letters` are for
 * tools with the same first letter.
 *
 * @example
 * runMarbles(({ model, tool, expectEvents }) => {
 *   const service = aiService({ model: model(['-A|', '-z|']), tools: [tool('a', '--r|')] });
 *   expectEvents(service.stream('Go')).toBe('-(A<a)%*a>az($|)');
 * });
 */
export function runMarbles(test: (kit: MarbleKit) => void, letters: ToolLetters = {}): void {
  const checks: (() => void)[] = [];
  const known: Record<string, string> = { ...letters };
  const scheduler = toolScheduler();
  const at = (frame: number, action: () => void) => void scheduler.schedule(action, frame);
  const record: MarbleKit['record'] = (source, symbol = String, subscription = '^') => {
    const recording = recorder(symbol, () => scheduler.now());
    const span = parseMarbles(subscription);
    const frameOf = (wanted: string) => span.find((found) => found.symbol === wanted)?.frame;
    at(frameOf('^') ?? 0, () => {
      const running = recording.subscribe(source);
      const end = frameOf('!');
      if (end !== undefined) at(end - scheduler.now(), () => running.unsubscribe());
    });
    const compared: ComparedRecording<never> = Object.assign(recording as never, {
      toBe: (marbles: string, legend?: Legend) => (checks.push(() => recording.compare(marbles, legend)), compared),
    });
    return compared;
  };
  scheduler.run(({ flush }) => {
    test({
      model(answers, options = {}) {
        for (const [letter, { name }] of Object.entries(options.calls ?? {})) if (name) known[letter.toLowerCase()] ??= name;
        return scriptedModel(answers, options);
      },
      tool: scriptedTool,
      ids: sequentialIds(),
      expectEvents: (source, subscription) => record(source, (event) => eventSymbol(event, known), subscription),
      record,
      expectSubscriptions: (scripted) => ({
        toBe: (...wanted) => checks.push(() => compareLines('subscriptions', scripted.subscriptions(), wanted)),
      }),
      expectMemory: (memory) => ({ toBe: (...wanted) => checks.push(() => compareMemory(memory, wanted)) }),
      at,
    });
    flush();
  });
  for (const check of checks) check();
}
