import type { Content } from '../chat/content.ts';
import type { ToolExecutionRequest } from '../chat/message.ts';
import { AiServiceEvent, type EventFields } from './ai-service-event.ts';

interface ToolExecutedFields extends EventFields {
  readonly request: ToolExecutionRequest;
  readonly resultContents: readonly Content[];
  /** Absent where the integration that makes the event does not know. */
  readonly isError?: boolean;
  readonly error?: Error;
}

/** A tool has answered its call; fired in request order when all tools of the round have ended. */
export class ToolExecutedEvent extends AiServiceEvent<ToolExecutedFields> {
  readonly type = 'toolExecuted';
  readonly request: ToolExecutionRequest;
  readonly resultContents: readonly Content[];
  readonly error: Error | undefined;
  readonly #isError: boolean | undefined;

  constructor(fields: ToolExecutedFields) {
    super(fields);
    this.request = fields.request;
    this.resultContents = fields.resultContents ?? [];
    this.error = fields.error;
    this.#isError = fields.isError;
  }

  /** The text of the result; throws unless the result is one text. */
  get resultText(): string {
    const [content, ...more] = this.resultContents;
    if (content?.type === 'text' && more.length === 0) return content.text;
    throw new Error(`The result of ${this.request.name} is not one text: read resultContents.`);
  }

  /** Whether the result is an error, also of one that ended the invocation; throws where it was not reported. */
  get isError(): boolean {
    if (this.#isError !== undefined) return this.#isError;
    throw new Error(`Whether ${this.request.name} failed was not reported.`);
  }
}
