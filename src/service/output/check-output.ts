import { $ZodRealError, type $ZodIssue, type $ZodType } from 'zod/v4/core';
import { jsonText } from '../../chat/json-safe.ts';
import { checkArguments, type CheckedArguments } from '../../tool/check-arguments.ts';
import { ToolArgumentsError, isError, messageOf } from '../../tool/tool-errors.ts';

/** What an answer came to. `problem` is written for the model: where it went wrong, what was expected, what came. */
export type ParsedOutput =
  | { readonly ok: true; readonly value: unknown }
  /** `cause` is zod's error, or what the schema's own code threw. */
  | { readonly ok: false; readonly problem: string; readonly cause?: unknown };

/** Checks JSON against the type of the answer, as kindly as the arguments of tools; at once unless the type is asynchronous. */
export function checkOutput(type: $ZodType, json: unknown): ParsedOutput | Promise<ParsedOutput> {
  try {
    const checked = checkArguments('answer', type, json as Record<string, unknown>);
    return checked instanceof Promise ? checked.then(accepted, refused) : accepted(checked);
  } catch (error) {
    return refused(error);
  }
}

function accepted({ value }: CheckedArguments): ParsedOutput {
  return { ok: true, value };
}

function refused(error: unknown): ParsedOutput {
  if (error instanceof ToolArgumentsError && error.issues.length > 0) {
    // Behind its first line, which speaks of a tool, the message has a line for each issue.
    const lines = error.message.slice(error.message.indexOf('\n') + 1);
    return {
      ok: false,
      problem: `The answer does not fit its schema:\n${lines}`,
      cause: new $ZodRealError(error.issues as $ZodIssue[]),
    };
  }
  const cause = error instanceof ToolArgumentsError ? error.cause : error;
  return { ok: false, problem: `The answer can't be used: ${isError(cause) ? messageOf(cause) : jsonText(cause)}`, cause };
}
