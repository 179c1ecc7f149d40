import { bearer } from '../bearer.ts';
import { wireName } from '../wire-name.ts';
import { ndjsonFraming } from '../ndjson.ts';
import type { Wire } from '../wire.ts';
import { ollamaApi } from './ollama-api.ts';
import { ollamaBody } from './ollama-body.ts';
import { ollamaReader } from './ollama-reader.ts';

/** The chat API of Ollama: lines of JSON, calls that come whole, and nothing that must be kept for the next request. */
export const ollamaWire: Wire = {
  ...ollamaApi,
  framing: ndjsonFraming,
  lastEvent: 'the done line',
  headers: bearer,
  path: () => '/api/chat',
  body: ollamaBody,
  toolName: (name) => wireName(name),
  reader: ollamaReader,
};
