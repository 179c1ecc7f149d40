import type { ChatRequest } from '../chat/chat-request.ts';
import type { ChatResponse } from '../chat/chat-response.ts';
import { AiServiceEvent, type EventFields } from './ai-service-event.ts';

interface RequestIssuedFields extends EventFields {
  readonly request: ChatRequest;
}

/** A request goes to the model; once for each round. */
export class AiServiceRequestIssuedEvent extends AiServiceEvent<RequestIssuedFields> {
  readonly type = 'requestIssued';
  readonly request: ChatRequest;

  constructor(fields: RequestIssuedFields) {
    super(fields);
    this.request = fields.request;
  }
}

interface ResponseReceivedFields extends RequestIssuedFields {
  readonly response: ChatResponse;
}

/** The model has answered a request in full. */
export class AiServiceResponseReceivedEvent extends AiServiceEvent<ResponseReceivedFields> {
  readonly type = 'responseReceived';
  readonly request: ChatRequest;
  readonly response: ChatResponse;

  constructor(fields: ResponseReceivedFields) {
    super(fields);
    this.request = fields.request;
    this.response = fields.response;
  }
}
