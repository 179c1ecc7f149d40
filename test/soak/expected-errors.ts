import { SoakError } from './soak-error.ts';

/** What may go wrong in a soak. An error of another name, such as a TypeError, is one of the library's own. */
const expected: ReadonlySet<string> = new Set([
  'AbortError',
  'ApprovalRequiredError',
  'ChatModelError',
  'LimitExceededError',
  'OutputGuardrailError',
  'SoakError',
  'ToolArgumentsError',
  'ToolErrorVisibleToLlm',
  'ToolRoundTripsExceededError',
  'ToolTimeoutError',
  'UnknownToolError',
]);

/** What is wrong with the error that an invocation has ended with, if anything. */
export function unexpected(error: unknown): string | undefined {
  if (!(error instanceof Error)) return `it ended with ${String(error)}, which is no Error`;
  if (error instanceof SoakError || expected.has(error.name)) return undefined;
  return `it ended with an unexpected error: ${error.stack ?? error.message}`;
}
