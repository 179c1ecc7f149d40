import { bearer } from '../bearer.ts';
import { wireName } from '../wire-name.ts';
import type { Wire } from '../wire.ts';

export const anthropicWire: Wire = {
  provider: 'anthropic',
  api: 'Messages API',
  framing: 'sse',
  lastEvent: 'message_stop',
  headers: bearer,
  path: () => '/',
  body: () => '{}',
  toolName: (name) => wireName(name),
  reader: () => ({ read: () => false }),
};
