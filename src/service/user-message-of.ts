import { isContent, type Content } from '../chat/content.ts';
import type { UserMessage } from '../chat/message.ts';
import { invalidOption } from '../chat/option-checks.ts';
import type { Input } from './options.ts';

/** What the user says, as a message; throws a `ConfigurationError` on what can't be said. */
export function userMessageOf(input: Input, where = 'an invocation', option = 'input'): UserMessage {
  if (typeof input === 'string') return { role: 'user', contents: [{ type: 'text', text: input }] };
  const contents: unknown = Array.isArray(input) ? input : (input as Partial<UserMessage> | undefined)?.contents;
  // Copied: what the caller does to its array afterwards is no business of the invocation.
  if (Array.isArray(contents) && contents.every(isContent))
    return { role: 'user', contents: [...(contents as readonly Content[])] };
  const shown = Array.isArray(contents)
    ? contents.map((content: unknown) => (content as { type?: unknown } | null)?.type)
    : input;
  throw invalidOption(where, option, shown, 'it must be text, an array of contents, or a user message');
}
