import type { ChatRequest } from '../chat/chat-request.ts';
import { jsonSafe } from '../chat/json-safe.ts';
import { AiServiceEvent, type EventFields } from './ai-service-event.ts';
import { AiServiceRequestIssuedEvent, AiServiceResponseReceivedEvent } from './model-events.ts';

interface SummaryFields extends EventFields {
  /** In order; the last is the one that ended the invocation. */
  readonly events: readonly AiServiceEvent[];
}

/**
 * All events of one invocation in one, custom ones included; comes right behind the event that ended it. It is made only if
 * somebody was listening when the invocation began, and holds nothing that came after the end. Until then its events are
 * kept, each with what it carries.
 *
 * A failed invocation that goes on with another subscription has an end for each subscription, and a summary for each end.
 */
export class AiServiceInvocationSummaryEvent extends AiServiceEvent<SummaryFields> {
  readonly type = 'invocationSummary';
  readonly events: readonly AiServiceEvent[];

  constructor(fields: SummaryFields) {
    super(fields);
    this.events = fields.events;
  }

  /**
   * Plain data for a log: never throws. Says everything once, since each request repeats the messages of those before
   * it: the invocation stands beside the events, and a request tells what no request above it has told.
   */
  override toJSON(): Record<string, unknown> {
    const told = new Set<unknown>();
    return {
      type: this.type,
      invocation: jsonSafe(this.invocation),
      events: this.events.map((event) => eventJson(event, told)),
    };
  }
}

function eventJson(event: AiServiceEvent, told: Set<unknown>): unknown {
  try {
    const json = withoutRequest(event);
    if (event instanceof AiServiceRequestIssuedEvent) json['request'] = requestJson(event.request, told);
    delete json['invocation'];
    return json;
  } catch {
    // Made by somebody who leaves out what the types ask for.
    return jsonSafe(event);
  }
}

/** Without what would be repeated: the request of a response is the one above it. */
function withoutRequest(event: AiServiceEvent): Record<string, unknown> {
  const isOfModel = event instanceof AiServiceRequestIssuedEvent || event instanceof AiServiceResponseReceivedEvent;
  const json = jsonSafe(isOfModel ? event.with({ request: { messages: [] } }) : event) as Record<string, unknown>;
  if (isOfModel) delete json['request'];
  return json;
}

function requestJson(request: ChatRequest, told: Set<unknown>): unknown {
  const { messages, toolSpecifications } = request;
  const untold = messages.filter((message) => !told.has(message));
  const known = messages.length - untold.length;
  const areToolsTold = toolSpecifications !== undefined && told.has(toolSpecifications);
  for (const part of [...untold, toolSpecifications]) told.add(part);
  return jsonSafe({
    ...request,
    messages: known > 0 ? [`[${known} told above]`, ...untold] : untold,
    ...(areToolsTold && { toolSpecifications: '[Told above]' }),
  });
}
