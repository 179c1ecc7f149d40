import type { Observable } from 'rxjs';
import type { ChatMemory } from '../memory/chat-memory.ts';
import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';
import { checkList } from './check-list.ts';
import { compareLines } from './compare-lines.ts';
import { compareMemory, type ExpectedMessage } from './compare-memory.ts';
import type { Legend } from './difference.ts';
import { checkLetters, eventSymbol, type ToolLetters } from './event-symbol.ts';
import { expecting } from './expecting.ts';
import { recorder, type ComparedRecording } from './recording.ts';
import type { ScriptedAnswer } from './scripted-answer.ts';
import { scriptedModel, type ScriptedModel, type ScriptedModelOptions } from './scripted-model.ts';
import { scriptedTool, type ScriptedTool, type ScriptedToolOptions } from './scripted-tool.ts';
import { sequentialIds } from './sequential-ids.ts';
import { subscriptionSpan } from './subscription-log.ts';
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
  /** When a browser draws, for what waits for its animation frames: any letter is one. Call it first, and once. */
  animate(marbles: string): void;
}

/**
 * Runs a test on virtual time, to its end. No real time passes in it. How events are drawn, `eventSymbol` tells; `letters` say which tool a
 * letter stands for, where tools begin alike: `{ P: 'append' }`. A failure points to the expectation that was not met. A test must
 * not be asynchronous: it throws then.
 *
 * @example
 * runMarbles(({ model, tool, expectEvents }) => {
 *   const service = aiService({ model: model(['-A|', '-z|']), tools: [tool('a', '--r|')] });
 *   expectEvents(service.stream('Go')).toBe('-(A<a)%*a>az($|)');
 * });
 */
export function runMarbles(test: (kit: MarbleKit) => void, letters: ToolLetters = {}): void {
  checkLetters(letters);
  const checks = checkList();
  const known: Record<string, string> = { ...letters };
  const scheduler = toolScheduler();
  const at = (frame: number, action: () => void) => {
    if (!(frame >= 0)) throw new Error(`at(${frame}): there is no such frame; the first is 0.`);
    scheduler.schedule(action, frame);
  };
  const record: MarbleKit['record'] = (source, symbol = String, subscription = '^') => {
    checks.checkOpen();
    const recording = recorder(symbol, () => scheduler.now());
    const { from, to } = subscriptionSpan(subscription);
    at(from, () => {
      const running = recording.subscribe(source);
      if (to !== undefined) at(to - scheduler.now(), () => running.unsubscribe());
    });
    checks.add(() => recording.checkEnd());
    const compared: ComparedRecording<never> = Object.assign(recording as never, {
      toBe: (marbles: string, legend?: Legend) => (checks.add(() => recording.compare(marbles, legend)), compared),
    });
    return compared;
  };
  scheduler.run(({ animate, flush }) => {
    const awaited: unknown = test({
      model(answers, options = {}) {
        for (const [letter, { name }] of Object.entries(options.calls ?? {})) if (name) known[letter.toLowerCase()] ??= name;
        return scriptedModel(answers, options);
      },
      tool: scriptedTool,
      ids: sequentialIds(),
      expectEvents: (source, subscription) => record(source, (event) => eventSymbol(event, known), subscription),
      record,
      expectSubscriptions: (scripted) =>
        expecting(checks, 'expectSubscriptions', (wanted) => compareLines('subscriptions', scripted.subscriptions(), wanted)),
      expectMemory: (memory) => expecting(checks, 'expectMemory', (wanted) => compareMemory(memory, wanted)),
      at,
      animate,
    });
    if (awaited instanceof Promise) {
      awaited.catch(() => undefined);
      throw new Error(
        'runMarbles: the test returned a promise, and nothing that awaits happens in virtual time; use recordMarbles.',
      );
    }
    // Some months: what has not ended by then will not.
    scheduler.maxFrames = 1e10;
    flush();
  });
  checks.run();
}
