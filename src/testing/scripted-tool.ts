import { defer } from 'rxjs';
import type { $ZodObject } from 'zod/v4/core';
import type { JsonSchema } from '../chat/tool-specification.ts';
import { tool, type ToolDefinition } from '../tool/tool.ts';
import type { Tool, ToolContext } from '../tool/types.ts';
import { marbleSource } from './marbles.ts';
import { drawSpan, logged, type SubscriptionSpan } from './subscription-log.ts';

/** Beside what stands here, all that a `tool()` may say of itself. */
export interface ScriptedToolOptions extends Omit<ToolDefinition<JsonSchema, unknown>, 'name' | 'execute' | 'parameters'> {
  /** None by default, as for a `tool()`. */
  readonly parameters?: $ZodObject | JsonSchema;
  /** What the letters stand for: by default themselves. */
  readonly values?: Readonly<Record<string, unknown>> | undefined;
  /** What `#` stands for. */
  readonly error?: unknown;
}

export interface ScriptedTool extends Tool {
  readonly contexts: readonly ToolContext[];
  /** The subscriptions to its executions, drawn. */
  subscriptions(): readonly string[];
}

/**
 * A tool that runs along a diagram: each letter is progress, the last one also the result. Of several diagrams each execution
 * follows its own, and those beyond them the last one.
 *
 * @example
 * scriptedTool('a', '---r|');
 * scriptedTool('flaky', ['--#', '---r|']);
 */
export function scriptedTool(
  name: string,
  marbles: string | readonly string[],
  { values = {}, error = new Error(`${name} failed`), ...definition }: ScriptedToolOptions = {},
): ScriptedTool {
  const contexts: ToolContext[] = [];
  const spans: SubscriptionSpan[] = [];
  const diagrams = typeof marbles === 'string' ? [marbles] : marbles;
  const scripted = tool<$ZodObject | JsonSchema, unknown>({
    ...definition,
    name,
    execute: (_, context) =>
      defer(() => {
        const diagram = diagrams[contexts.length] ?? diagrams.at(-1) ?? '';
        contexts.push(context);
        return logged(
          marbleSource(diagram, (symbol) => (symbol === '#' ? { error } : { value: symbol in values ? values[symbol] : symbol })),
          spans,
        );
      }),
  });
  return { ...scripted, contexts, subscriptions: () => spans.map(drawSpan) };
}
