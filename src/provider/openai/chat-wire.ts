import { bearer } from '../bearer.ts';
import type { ThinkingTags } from '../thinking-tags.ts';
import { wireName } from '../wire-name.ts';
import { sseFraming } from '../sse.ts';
import type { Wire } from '../wire.ts';
import { chatBody, type ChatDialect } from './chat-body.ts';
import { chatReader } from './chat-reader.ts';

/** The chat-completions API, of OpenAI and of all who speak like it. */
export function chatWire(dialect: ChatDialect, tags: ThinkingTags | undefined): Wire {
  return {
    provider: 'openai',
    api: 'chat-completions API',
    framing: sseFraming,
    lastEvent: 'the model finished',
    headers: bearer,
    path: () => '/chat/completions',
    body: (request) => chatBody(request, dialect),
    toolName: (name) => wireName(name),
    reader: (turn) => chatReader(turn, tags),
  };
}
