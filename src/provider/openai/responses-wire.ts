import { bearer } from '../bearer.ts';
import { wireName } from '../wire-name.ts';
import type { Wire } from '../wire.ts';

export const openAiResponsesWire: Wire = {
  provider: 'openai',
  api: 'Responses API',
  framing: 'sse',
  lastEvent: 'response.completed',
  headers: bearer,
  path: () => '/',
  body: () => '{}',
  toolName: (name) => wireName(name),
  reader: () => ({ read: () => false }),
};
