import { toObservable } from '../../src/chat/value.ts';
import type { ChatMessage } from '../../src/chat/message.ts';
import type { ChatRequest } from '../../src/chat/chat-request.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { drawMessage } from '../../src/testing/draw-message.ts';
import { parseMarbles } from '../../src/testing/marbles.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import type { TimelineRecorder } from '../../src/timeline/record-timeline.ts';
import { consumersOf, type Consumer } from './consumers.ts';
import { drawDiagram, type Row } from './draw-diagram.ts';
import { readDiagram } from './read-diagram.ts';
import { consumerRows, marksRow, sourceRows } from './rows.ts';
import { sourcesOf } from './sources.ts';
import type { Spec } from './spec.ts';

/** What came of a spec. */
export interface Played {
  /** The spec's diagram as it really went. */
  readonly diagram: readonly string[];
  readonly memory: readonly string[];
  readonly offers: readonly string[];
  /** The errors of the lanes. */
  readonly errors: readonly unknown[];
  /** All that was emitted, by its symbol. */
  readonly values: ReadonlyMap<string, readonly unknown[]>;
}

const quiet = { warn() {}, error() {}, debug() {} };

/** Runs a spec on virtual time. */
export function playSpec(spec: Spec, timeline?: TimelineRecorder): Played {
  const lanes = readDiagram(spec.diagram);
  const chatMemory = messageWindowMemory({ maxMessages: 100 });
  const sources = sourcesOf(spec, lanes);
  let consumers: readonly Consumer[] = [];
  runMarbles((kit) => {
    const { options = {} } = spec;
    const settings = typeof options === 'function' ? options(sources.kit) : options;
    const service = aiService<unknown>({
      ...settings,
      model: sources.kit.model('model'),
      tools: [...sources.tools, ...(settings.tools ?? [])],
      chatMemory,
      logger: quiet,
      idGenerator: kit.ids,
    });
    if (timeline) service.events$.pipe(timeline.watchEvents()).subscribe();
    consumers = consumersOf(spec, lanes, service, kit, timeline);
  }, sources.letters);

  const rows = lanes.flatMap((lane): readonly Row[] => {
    const consumer = consumers.find(({ label }) => label === lane.label);
    if (consumer) return consumerRows(lane, parseMarbles(consumer.recording.drawing()));
    if (lane.label === 'user') return [marksRow(lane)];
    return sourceRows(lane, sources.subscriptions(lane.label));
  });
  return {
    diagram: drawDiagram(rows),
    memory: messagesOf(chatMemory.messages()).map(drawMessage),
    offers: sources.requests().map(offerOf),
    errors: consumers.flatMap(({ recording: { error } }) => (error === undefined ? [] : [error])),
    values: bySymbol(consumers),
  };
}

function messagesOf(held: Parameters<typeof toObservable<readonly ChatMessage[]>>[0]): readonly ChatMessage[] {
  let messages: readonly ChatMessage[] = [];
  toObservable(held).subscribe({
    next: (found) => (messages = found),
    error: (error: unknown) => {
      throw error;
    },
  });
  return messages;
}

function offerOf({ toolSpecifications = [], toolChoice }: ChatRequest): string {
  const names = toolSpecifications.map(({ name }) => name).join(', ') || 'nothing';
  return toolChoice === undefined || toolChoice === 'auto' ? names : `${names} (choice: ${JSON.stringify(toolChoice)})`;
}

function bySymbol(consumers: readonly Consumer[]): ReadonlyMap<string, readonly unknown[]> {
  const values = new Map<string, unknown[]>();
  for (const { recording } of consumers) {
    const symbols = parseMarbles(recording.drawing()).filter(({ symbol }) => symbol !== '|' && symbol !== '#');
    symbols.forEach(({ symbol }, place) => values.set(symbol, [...(values.get(symbol) ?? []), recording.values[place]]));
  }
  return values;
}
