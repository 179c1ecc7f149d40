import type { ChatMessage } from '../../chat/message.ts';
import { serialisedOnce } from '../serialised-once.ts';
import { chatMessageJson, resultMediaJson } from './chat-message-json.ts';

/** Writes messages as JSON text of the chat-completions API, each once. `server`: where they go, since some reasoning goes back to where it came from only. */
export function chatMessagesJson(server: string): (messages: readonly ChatMessage[]) => string {
  const json = serialisedOnce((message: ChatMessage) => chatMessageJson(message, server));
  return (messages) => {
    const parts: string[] = [];
    let media: string[] = [];
    messages.forEach((message, place) => {
      parts.push(json(message));
      if (message.role === 'tool') media.push(mediaJson(message));
      // Behind all results of the turn: nothing may stand between them.
      if (messages[place + 1]?.role === 'tool' || media.length === 0) return;
      const shown = media.filter(Boolean).join(',');
      if (shown) parts.push(`{"role":"user","content":[${shown}]}`);
      media = [];
    });
    return `[${parts.join(',')}]`;
  };
}

const mediaJson = serialisedOnce(resultMediaJson);
