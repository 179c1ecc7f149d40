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
  throw invalidOption(
    where,
    option,
    Array.isArray(contents) ? contents.map(shownContent) : input,
    "it must be text, contents as in [{ type: 'text', text: '…' }], or a user message { role: 'user', contents: [ … ] }",
  );
}

/** A content by its type: what it holds may be long, and is not for an error. */
function shownContent(content: unknown): unknown {
  return (content as { readonly type?: unknown } | null | undefined)?.type ?? content;
}
