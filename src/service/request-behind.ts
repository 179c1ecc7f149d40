import type { ToolExecutionRequest } from '../chat/message.ts';
import type { Run } from './run.ts';

/** The call that is to blame for this error of an invocation, if one is. */
export function requestBehind({ gathered: { failedCall } }: Run, error: unknown): ToolExecutionRequest | undefined {
  return failedCall?.error === error ? failedCall?.request : undefined;
}
