import type { ChatMessage } from '../chat/message.ts';

/** Where a search result says what it has found; it stays with the message in memory. */
const foundTools = 'foundTools';

export const foundToolsAttribute = (names: readonly string[]): Readonly<Record<string, unknown>> => ({ [foundTools]: names });

/** The names of the tools that searches have found in this conversation. */
export function foundIn(messages: readonly ChatMessage[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const message of messages) {
    const found: unknown = message.role === 'tool' ? message.attributes?.[foundTools] : undefined;
    if (!Array.isArray(found)) continue;
    for (const name of found) if (typeof name === 'string') names.add(name);
  }
  return names;
}
