import type { CompensationReason, ToolExecution } from '../tool/types.ts';
import { AiServiceEvent, type EventFields } from './ai-service-event.ts';

interface ToolCompensatedFields extends EventFields {
  /** The execution that was undone, with the result that it had. */
  readonly execution: ToolExecution;
  readonly reason: CompensationReason;
  /** Why it could not be undone. */
  readonly error?: Error;
}

/** What a tool has done was undone, or could not be: then there is an `error`. */
export class ToolCompensatedEvent extends AiServiceEvent<ToolCompensatedFields> {
  readonly type = 'toolCompensated';
  readonly execution: ToolExecution;
  readonly reason: CompensationReason;
  readonly error: Error | undefined;

  constructor(fields: ToolCompensatedFields) {
    super(fields);
    this.execution = fields.execution;
    this.reason = fields.reason;
    this.error = fields.error;
  }
}
