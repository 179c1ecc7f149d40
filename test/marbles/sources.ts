import { defer, type Observable } from 'rxjs';
import type { ChatRequest } from '../../src/chat/chat-request.ts';
import type { ToolExecutionRequest } from '../../src/chat/message.ts';
import type { ToolLetters } from '../../src/testing/event-symbol.ts';
import { marbleSource } from '../../src/testing/marbles.ts';
import { scriptedModel, type ScriptedModel, type ScriptedModelOptions } from '../../src/testing/scripted-model.ts';
import { scriptedTool, type ScriptedTool } from '../../src/testing/scripted-tool.ts';
import { drawSpan, logged, type SubscriptionSpan } from '../../src/testing/subscription-log.ts';
import { isConsumer } from './consumers.ts';
import type { Lane } from './read-diagram.ts';
import type { Spec, SpecKit } from './spec.ts';

/** All that a spec's diagram gives. */
export interface Sources {
  readonly kit: SpecKit;
  /** Those of the service. */
  readonly tools: readonly ScriptedTool[];
  readonly letters: ToolLetters;
  /** When the source of a lane was subscribed to, each time drawn. */
  subscriptions(label: string): readonly string[];
  /** What the model was asked. */
  requests(): readonly ChatRequest[];
}

const undo = 'undo ';

export function sourcesOf(spec: Spec, lanes: readonly Lane[]): Sources {
  const logs = new Map<string, { subscriptions(): readonly string[] }>();
  const isTool = ({ label }: Lane) =>
    !isConsumer(label) && !isModel(label) && !label.startsWith(undo) && label !== 'user' && !(label in (spec.sources ?? {}));
  const toolNames = lanes.filter(isTool).map(({ label }) => label);
  const letters = lettersOf(spec, toolNames);
  const noted = <T extends { subscriptions(): readonly string[] }>(label: string, source: T): T => {
    logs.set(label, source);
    return source;
  };

  const models = new Map<string, ScriptedModel>();
  for (const { label, runs } of lanes.filter(({ label }) => isModel(label))) {
    const answers = runs.map(({ marbles }, place) => ({ marbles, ...(label === 'model' && spec.answers?.[place + 1]) }));
    models.set(label, noted(label, scriptedModel(answers, { calls: callsOf(spec, letters), events: spec.says ?? {} })));
  }
  const others = new Map<string, Observable<unknown>>();
  for (const { label, runs } of lanes) {
    const values = label.startsWith(undo) ? {} : spec.sources?.[label];
    if (values)
      others.set(
        label,
        noted(
          label,
          playing(
            runs.map(({ marbles }) => marbles),
            values,
          ),
        ),
      );
  }
  const tools = new Map<string, ScriptedTool>();
  const ofService: string[] = [];
  for (const { label, runs } of lanes.filter(isTool)) {
    const { isElsewhere = false, ...settings } = spec.tools?.[label] ?? {};
    if (!isElsewhere) ofService.push(label);
    const undone = others.get(undo + label);
    // A lane on which nothing stands is that of a tool that must not run.
    const marbles = runs.length > 0 ? runs.map((run) => run.marbles) : 'r|';
    const scripted = scriptedTool(label, marbles, { ...settings, ...(undone && { compensate: () => undone }) });
    tools.set(label, noted(label, scripted));
  }

  return {
    kit: {
      model: (lane) => laneOf(models, lane),
      tool: (lane) => laneOf(tools, lane),
      source: <T>(lane: string) => laneOf(others, lane) as Observable<T>,
    },
    tools: ofService.map((label) => laneOf(tools, label)),
    letters,
    subscriptions: (label) => logs.get(label)?.subscriptions() ?? [],
    requests: () => models.get('model')?.requests ?? [],
  };
}

function isModel(label: string): boolean {
  return /(^| )model$/.test(label);
}

/** An Observable that follows the next diagram each time that it is subscribed to. */
function playing(marbles: readonly string[], values: Readonly<Record<string, unknown>>) {
  const spans: SubscriptionSpan[] = [];
  const source = defer(() =>
    logged(
      marbleSource(marbles[spans.length] ?? marbles.at(-1) ?? '', (symbol) => {
        const value = symbol in values ? values[symbol] : symbol;
        return symbol === '#' ? { error: values['#'] ?? new Error('failed') } : { value };
      }),
      spans,
    ),
  );
  return Object.assign(source, { subscriptions: () => spans.map(drawSpan) });
}

function lettersOf({ calls = {} }: Spec, toolNames: readonly string[]): ToolLetters {
  const letters: Record<string, string> = {};
  // Events have the first letter of a tool, whichever letter called it.
  for (const name of toolNames) letters[name.charAt(0)] = name;
  for (const [letter, { name }] of Object.entries(calls)) if (name) letters[letter.toLowerCase()] = name;
  return letters;
}

function callsOf({ calls = {} }: Spec, letters: ToolLetters): NonNullable<ScriptedModelOptions['calls']> {
  const made: Record<string, Partial<ToolExecutionRequest>> = {};
  for (const [letter, name] of Object.entries(letters)) made[letter.toUpperCase()] = { name };
  for (const [letter, { arguments: written }] of Object.entries(calls)) {
    const text = typeof written === 'object' ? JSON.stringify(written) : written;
    made[letter] = { ...made[letter], ...(text !== undefined && { arguments: text }) };
  }
  return made;
}

function laneOf<T>(known: ReadonlyMap<string, T>, lane: string): T {
  const found = known.get(lane);
  if (!found) throw new Error(`The diagram has no lane "${lane}" of that kind.`);
  return found;
}
