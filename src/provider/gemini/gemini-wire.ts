import { notTaken } from '../request-error.ts';
import { sseFraming } from '../sse.ts';
import type { Wire } from '../wire.ts';
import { geminiApi, geminiName } from './gemini-api.ts';
import { geminiBody } from './gemini-body.ts';
import { geminiReader } from './gemini-reader.ts';

/** The Gemini API, of Google's AI Studio and of Vertex AI. */
export const geminiWire: Wire = {
  ...geminiApi,
  framing: sseFraming,
  lastEvent: 'a finish reason',
  partsKey: 'gemini',
  headers: (key): Readonly<Record<string, string>> => (key === undefined ? {} : { 'x-goog-api-key': key }),
  path: ({ modelName = '' }) => `/${modelPath(modelName)}:streamGenerateContent?alt=sse`,
  body: geminiBody,
  toolName: geminiName,
  reader: geminiReader,
};

/** A name with a slash says where the model is: `tunedModels/x`, `publishers/google/models/x`. */
function modelPath(name: string): string {
  const path = name.includes('/') ? name : `models/${name}`;
  // Such steps lead out of the API to another place of the server, and half a character nowhere.
  if (path.split('/').some((step) => /^\.{0,2}$/.test(step)) || /\p{Cs}/u.test(path))
    throw notTaken(geminiApi, `modelName ${JSON.stringify(name)}`, 'name a model, as in gemini-2.5-flash or tunedModels/mine');
  return encodeURI(path).replace(/[?#]/g, encodeURIComponent);
}
