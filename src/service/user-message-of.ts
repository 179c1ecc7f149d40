import { isContent } from '../chat/content.ts';
import { isObject } from '../chat/is-object.ts';
import type { UserMessage } from '../chat/message.ts';
import { invalidOption } from '../chat/option-checks.ts';
import type { Input } from './options.ts';

/** What the user says, as a message; throws a `ConfigurationError` on what can't be said. */
export function userMessageOf(input: Input, where = 'an invocation', option = 'input'): UserMessage {
  if (typeof input === 'string') return { role: 'user', contents: [{ type: 'text', text: input }] };
  const contents: unknown = Array.isArray(input) ? input : (input as Partial<UserMessage> | undefined)?.contents;
  // Copied: what the caller does to its array afterwards is no business of the invocation.
  const copied: unknown[] | undefined = Array.isArray(contents) ? Array.from(contents as readonly unknown[]) : undefined;
  if (copied?.every(isContent)) return { role: 'user', contents: copied };
  throw invalidOption(
    where,
    option,
    copied?.map(shownContent) ?? input,
    "it must be text, contents as in [{ type: 'text', text: '…' }], or a user message { role: 'user', contents: [ … ] }",
  );
}

/** A content by its type: what it holds may be long, and is not for an error. */
function shownContent(content: unknown): unknown {
  return (content as { readonly type?: unknown } | null | undefined)?.type ?? (isObject(content) ? content : typeof content);
}
