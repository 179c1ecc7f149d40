import { wireName } from '../wire-name.ts';
import type { JsonPlace } from '../frame-parser.ts';
import { sseFraming } from '../sse.ts';
import type { Wire } from '../wire.ts';
import { messagesApi, partsKey } from './messages-api.ts';
import { messagesBody } from './messages-body.ts';
import { messagesReader } from './messages-reader.ts';
import type { CacheMarks } from './prompt-cache.ts';

/** The last version in which every setting of a request has a word, for the models that take it. */
const version = '2023-06-01';

const growingTexts: readonly JsonPlace[] = [
  ['delta', 'text'],
  ['delta', 'partial_json'],
  ['delta', 'thinking'],
];

/** The Messages API, of Anthropic and of all who speak like it. */
export function anthropicWire(marks: CacheMarks): Wire {
  return {
    ...messagesApi,
    framing: sseFraming,
    growingTexts,
    lastEvent: 'message_stop',
    partsKey,
    headers: (key) => ({ 'anthropic-version': version, ...(key !== undefined && { 'x-api-key': key }) }),
    path: () => '/messages',
    body: (request) => messagesBody(request, marks),
    toolName: (name) => wireName(name),
    reader: messagesReader,
  };
}
