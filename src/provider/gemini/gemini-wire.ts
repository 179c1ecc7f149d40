import { bearer } from '../bearer.ts';
import { wireName } from '../wire-name.ts';
import type { Wire } from '../wire.ts';

export const geminiWire: Wire = {
  provider: 'gemini',
  api: 'Gemini API',
  framing: 'sse',
  lastEvent: 'a finish reason',
  headers: bearer,
  path: () => '/',
  body: () => '{}',
  toolName: (name) => wireName(name),
  reader: () => ({ read: () => false }),
};
