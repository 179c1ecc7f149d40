import { bearer } from '../bearer.ts';
import { wireName } from '../wire-name.ts';
import { sseFraming } from '../sse.ts';
import type { Wire } from '../wire.ts';
import { responsesApi } from './responses-api.ts';
import { responsesBody } from './responses-body.ts';
import { responsesPartsKey } from './responses-answer-items.ts';
import { responsesReader } from './responses-reader.ts';

/** The Responses API, of OpenAI and of all who speak like it. */
export function responsesWire(strict: boolean): Wire {
  return {
    ...responsesApi,
    framing: sseFraming,
    lastEvent: 'response.completed',
    partsKey: responsesPartsKey,
    headers: bearer,
    path: () => '/responses',
    body: (request) => responsesBody(request, strict),
    toolName: (name) => wireName(name),
    reader: responsesReader,
  };
}
