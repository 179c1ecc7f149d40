import { bearer } from '../bearer.ts';
import type { JsonPlace } from '../frame-parser.ts';
import type { ThinkingTags } from '../thinking-tags.ts';
import { wireName } from '../wire-name.ts';
import { sseFraming } from '../sse.ts';
import type { Wire } from '../wire.ts';
import { chatApi } from './chat-api.ts';
import { chatBody, type ChatDialect } from './chat-body.ts';
import { chatMessagesJson } from './chat-messages-json.ts';
import { chatReader } from './chat-reader.ts';

const growingTexts: readonly JsonPlace[] = [
  ['choices', 0, 'delta', 'content'],
  ['choices', 0, 'delta', 'tool_calls', 0, 'function', 'arguments'],
  ['choices', 0, 'delta', 'reasoning_content'],
  ['choices', 0, 'delta', 'reasoning'],
];

export interface ChatWireOptions extends Omit<ChatDialect, 'messagesJson'> {
  /** The host that it is spoken to. */
  readonly server: string;
  readonly tags?: ThinkingTags | undefined;
}

/** The chat-completions API, of OpenAI and of all who speak like it. */
export function chatWire({ server, tags, ...dialect }: ChatWireOptions): Wire {
  const messagesJson = chatMessagesJson(server);
  return {
    ...chatApi,
    framing: sseFraming,
    growingTexts,
    lastEvent: 'the model finished',
    headers: bearer,
    path: () => '/chat/completions',
    body: (request) => chatBody(request, { ...dialect, messagesJson }),
    toolName: (name) => wireName(name),
    reader: (turn) => chatReader(turn, tags, server),
  };
}
