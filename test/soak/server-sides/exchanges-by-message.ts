import type { Exchange } from '../exchange-violations.ts';

/** A message of the APIs that keep a result in a message of its own, under the id of its call. */
interface ChatMessage {
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: unknown } }[];
  readonly tool_call_id?: string;
}

/** Each call with what it was told. */
export function exchangesByMessage(messages: readonly ChatMessage[]): readonly Exchange[] {
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls);
  return calls.map(({ id, function: called }) => ({
    id,
    arguments: called.arguments,
    result: messages.find(({ tool_call_id }) => tool_call_id === id)?.content,
  }));
}
