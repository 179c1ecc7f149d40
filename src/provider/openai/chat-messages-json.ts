import type { ChatMessage } from '../../chat/message.ts';
import { onceFor } from '../once-for.ts';
import { chatMessageJson, resultMediaJson } from './chat-message-json.ts';

/** Writes messages as JSON text of the chat-completions API, each once. `server`: where they go, since some reasoning goes back to where it came from only. */
export function chatMessagesJson(server: string): (messages: readonly ChatMessage[]) => string {
  const written = onceFor((message: ChatMessage) => ({
    json: chatMessageJson(message, server),
    media: resultMediaJson(message),
  }));
  return (messages) => {
    const parts: string[] = [];
    const shown: string[] = [];
    messages.forEach((message, place) => {
      const { json, media } = written(message);
      parts.push(json);
      if (media) shown.push(media);
      // Behind all results of the turn: nothing may stand between them.
      if (shown.length === 0 || messages[place + 1]?.role === 'tool') return;
      parts.push(`{"role":"user","content":[${shown.join(',')}]}`);
      shown.length = 0;
    });
    return `[${parts.join(',')}]`;
  };
}
