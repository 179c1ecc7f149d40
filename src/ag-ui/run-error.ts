import { ChatModelError } from '../chat/chat-model-error.ts';
import { asError } from '../tool/tool-errors.ts';
import type { AgUiEvent } from './ag-ui-event.ts';

/** What a client is told of an error that ends its run, in the application's words. */
export function runError(thrown: unknown, errorMessage: (error: Error) => string): Extract<AgUiEvent, { type: 'RUN_ERROR' }> {
  const error = asError(thrown);
  const code = error instanceof ChatModelError ? error.kind : error.name;
  return { type: 'RUN_ERROR', message: messageFor(error, errorMessage), ...(code && { code }) };
}

/** The run must end, whatever the application's function does. */
function messageFor(error: Error, errorMessage: (error: Error) => string): string {
  try {
    const message: unknown = errorMessage(error);
    if (typeof message === 'string' && message) return message;
  } catch {
    // Nobody is there to be told.
  }
  return 'The run has failed.';
}
