import type { UserMessage } from '../../chat/message.ts';

/** What the user's message says in words: its texts, without its media. */
export function textOfUser({ contents }: UserMessage): string {
  return contents.flatMap((content) => (content.type === 'text' ? [content.text] : [])).join('\n');
}
