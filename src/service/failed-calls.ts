import { catchError, map, of, type Observable } from 'rxjs';
import { invalidOption } from '../chat/option-checks.ts';
import { fromValue } from '../chat/value.ts';
import { UnknownToolError, asError, isArgumentsError, messageOf, nameTool, unwrapped } from '../tool/tool-errors.ts';
import { textResult } from '../tool/tool-result.ts';
import type { ToolContext } from '../tool/types.ts';
import type { Call, CallOutcome } from './call.ts';
import type { Run } from './run.ts';

/** Asks the handler that is there for what was thrown. Errors become text in this file alone. */
export function handled(run: Run, { request }: Pick<Call, 'request'>, thrown: unknown): Observable<CallOutcome> {
  const { error, rawError } = unwrapped(thrown);
  for (const own of [error, thrown]) nameTool(own, request.name);
  const { invocation, policy, settings } = run;
  const option = isArgumentsError(thrown) ? 'toolArgumentsErrorHandler' : 'toolExecutionErrorHandler';
  const { memoryId, parameters } = invocation;
  const context = {
    rawError,
    request,
    invocation,
    ...(memoryId !== undefined && { memoryId }),
    parameters,
    logger: settings.logger,
  };
  return toldToLlm(
    option,
    error,
    rawError,
    fromValue(() => policy[option](error, context)),
  );
}

/** What the strategy says to a name that no tool has. */
export function unknownTool({ settings, tools }: Run, { request }: Call, context: ToolContext): Observable<CallOutcome> {
  const strategy = settings.hallucinatedToolNameStrategy;
  // Of any length, and in the log as many times as it is tried.
  const name = request.name.length > 200 ? `${request.name.slice(0, 200)}…` : request.name;
  const error = new UnknownToolError(
    `The model called an unknown tool: ${name}. Set hallucinatedToolNameStrategy to tell it so and go on.`,
  );
  const text$ = fromValue(() => {
    if (!strategy) throw error;
    return strategy(request, Object.assign(context, { availableTools: tools.told() }));
  });
  return toldToLlm('hallucinatedToolNameStrategy', error, error, text$);
}

/** The handler's text goes to the model; what it throws ends the invocation. */
function toldToLlm(option: string, error: Error, rawError: unknown, text$: Observable<string>): Observable<CallOutcome> {
  return text$.pipe(
    map((text): CallOutcome => ({ result: textResult(checkedText(option, text), true), error, rawError })),
    catchError((thrown: unknown) =>
      of({ ...failedOutcome(thrown), result: textResult(messageOf(error), true), error, rawError }),
    ),
  );
}

/** Of code of the user that stands around the tool: its error ends the invocation, and no handler is asked. */
export function failedOutcome(thrown: unknown): CallOutcome {
  const error = asError(thrown);
  return { result: textResult(messageOf(error), true), error, rawError: thrown, failure: { error } };
}

function checkedText(option: string, text: unknown): string {
  if (typeof text === 'string') return text;
  throw invalidOption('aiService', `what ${option} returned`, text, 'it must return the text for the model, or throw');
}
