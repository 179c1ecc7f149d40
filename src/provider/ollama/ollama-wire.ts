import { bearer } from '../bearer.ts';
import { wireName } from '../wire-name.ts';
import type { Wire } from '../wire.ts';

export const ollamaWire: Wire = {
  provider: 'ollama',
  api: 'Ollama API',
  framing: 'ndjson',
  lastEvent: 'the done line',
  headers: bearer,
  path: () => '/',
  body: () => '{}',
  toolName: (name) => wireName(name),
  reader: () => ({ read: () => false }),
};
