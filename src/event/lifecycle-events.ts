import type { SystemMessage, ToolExecutionRequest, UserMessage } from '../chat/message.ts';
import { AiServiceEvent, type EventFields } from './ai-service-event.ts';

interface StartedFields extends EventFields {
  readonly userMessage: UserMessage;
  readonly systemMessage?: SystemMessage;
}

/** An invocation has begun: first of its events, once. */
export class AiServiceStartedEvent extends AiServiceEvent<StartedFields> {
  readonly type = 'started';
  readonly userMessage: UserMessage;
  readonly systemMessage: SystemMessage | undefined;

  constructor(fields: StartedFields) {
    super(fields);
    this.userMessage = fields.userMessage;
    this.systemMessage = fields.systemMessage;
  }
}

interface CompletedFields extends EventFields {
  readonly result?: unknown;
}

/** An invocation has its answer. Last of its events, instead of the error and the cancelled one. */
export class AiServiceCompletedEvent extends AiServiceEvent<CompletedFields> {
  readonly type = 'completed';
  readonly result: unknown;

  constructor(fields: CompletedFields) {
    super(fields);
    this.result = fields.result;
  }
}

interface ErrorFields extends EventFields {
  readonly error: Error;
  readonly request?: ToolExecutionRequest;
}

/** An invocation has failed. Last of its events, instead of the completed and the cancelled one. */
export class AiServiceErrorEvent extends AiServiceEvent<ErrorFields> {
  readonly type = 'error';
  readonly error: Error;
  /** The call whose failure it was, if it was that of a tool. */
  readonly request: ToolExecutionRequest | undefined;

  constructor(fields: ErrorFields) {
    super(fields);
    this.error = fields.error;
    this.request = fields.request;
  }
}

interface CancelledFields extends EventFields {
  readonly reason?: unknown;
}

/** An invocation was given up: unsubscribed from, aborted or cancelled. Last of its events, instead of the other two. */
export class AiServiceCancelledEvent extends AiServiceEvent<CancelledFields> {
  readonly type = 'cancelled';
  readonly reason: unknown;

  constructor(fields: CancelledFields) {
    super(fields);
    this.reason = fields.reason;
  }
}
