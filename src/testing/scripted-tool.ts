import { defer } from 'rxjs';
import { tool } from '../tool/tool.ts';
import type { Tool, ToolContext } from '../tool/types.ts';
import { marbleSource } from './marbles.ts';
import { drawSpan, logged, type SubscriptionSpan } from './subscription-log.ts';

export interface ScriptedToolOptions {
  /** What the letters stand for: by default themselves. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** What `#` stands for. */
  readonly error?: unknown;
}

export interface ScriptedTool extends Tool {
  readonly contexts: readonly ToolContext[];
  /** The subscriptions to its executions, drawn. */
  subscriptions(): readonly string[];
}

/**
 * A tool that runs along a diagram: each letter is progress, the last one also the result.
 *
 * @example
 * scriptedTool('a', '---r|');
 */
export function scriptedTool(
  name: string,
  marbles: string,
  { values = {}, error = new Error(`${name} failed`) }: ScriptedToolOptions = {},
): ScriptedTool {
  const contexts: ToolContext[] = [];
  const spans: SubscriptionSpan[] = [];
  const scripted = tool({
    name,
    execute: (_, context) =>
      defer(() => {
        contexts.push(context);
        return logged(
          marbleSource(marbles, (symbol) => (symbol === '#' ? { error } : { value: symbol in values ? values[symbol] : symbol })),
          spans,
        );
      }),
  });
  return { ...scripted, contexts, subscriptions: () => spans.map(drawSpan) };
}
