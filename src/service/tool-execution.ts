import { textOf } from '../chat/content.ts';
import { argumentsOf } from '../tool/decoded-arguments.ts';
import type { ToolContext, ToolExecution } from '../tool/types.ts';
import type { Call, CallOutcome } from './call.ts';

/** The record of a call that has ended. Times are in ms. */
export function toolExecution(
  call: Call,
  { result, error, rawError }: CallOutcome,
  context: ToolContext,
  startTime: number,
  finishTime: number,
): ToolExecution {
  const decoded = argumentsOf(context);
  const attributes =
    call.requestedName === undefined ? result.attributes : { ...result.attributes, requestedName: call.requestedName };
  return {
    request: call.request,
    ...(decoded && { arguments: decoded.value }),
    ...(decoded?.repaired && { repaired: true }),
    result: textOf(result.contents),
    resultContents: [...result.contents],
    ...(result.value !== undefined && { resultObject: result.value }),
    hasFailed: result.isError,
    ...(error && { error, rawError }),
    ...(attributes && { attributes }),
    startTime,
    finishTime,
    duration: finishTime - startTime,
  };
}
