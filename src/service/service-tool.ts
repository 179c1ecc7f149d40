import type { Observable } from 'rxjs';
import { EMPTY, concat, defer, filter, ignoreElements, map, tap, throwError } from 'rxjs';
import type { $ZodObject } from 'zod/v4/core';
import { jsonText } from '../chat/json-safe.ts';
import { checkFunction, checkKnownOptions } from '../chat/option-checks.ts';
import type { ToolExecutionRequest } from '../chat/message.ts';
import { thenStream } from '../chat/then-stream.ts';
import type { JsonSchema } from '../chat/tool-specification.ts';
import { fromValue, type Value } from '../chat/value.ts';
import { inTurn } from '../memory/in-turn.ts';
import { toolWith, type Args, type ToolDefinition } from '../tool/tool.ts';
import { traitOptions } from '../tool/tool-traits.ts';
import { callScope } from '../tool/call-scope.ts';
import { toolResult } from '../tool/tool-result.ts';
import type { CompensationReason, Tool, ToolContext, ToolExecution, ToolExecutionResult } from '../tool/types.ts';
import type { Service } from './begin-run.ts';
import { compensate, undoesOnFailure } from './compensation.ts';
import { resultOf } from './epilogue.ts';
import { asInner } from './inner-events.ts';
import { invocation } from './invocation.ts';
import { modes } from './modes.ts';
import type { Input } from './options.ts';
import { outerRun } from './outer-runs.ts';
import type { Run } from './run.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { userMessageOf } from './user-message-of.ts';

/** How a service looks to the model that calls it as a tool. */
export interface ServiceToolDefinition<S extends $ZodObject | JsonSchema> extends Omit<
  ToolDefinition<S, unknown>,
  'execute' | 'compensate'
> {
  /** Makes the service's input of the arguments: by default their text `input`, which is what a tool without `parameters` takes, or else all of them as JSON. */
  input?(args: Args<S>, context: ToolContext): Value<Input>;
}

const askedFor = {
  type: 'object',
  properties: { input: { type: 'string', description: 'What to ask, in full: nothing else of the conversation is passed on.' } },
  required: ['input'],
} as const;

/**
 * A tool that asks a service. What happens in there is the tool's progress; an unsubscribe goes through; and what the tools in
 * there have done is undone with the rest of the outer invocation.
 */
export function serviceTool<S extends $ZodObject | JsonSchema>(service: Service, definition: ServiceToolDefinition<S>): Tool {
  checkKnownOptions('asTool', definition, [
    'name',
    'description',
    'parameters',
    'input',
    'metadata',
    ...traitOptions.filter((option) => option !== 'compensate'),
  ]);
  checkFunction('asTool', 'input', definition.input);
  const { input = plainInput, parameters = askedFor as JsonSchema, ...rest } = definition;
  /** Those behind each call: more than one where the tool is piped through a retry. A memory holds copies of the requests. */
  const runs = new WeakMap<ToolExecutionRequest, readonly Run[]>();

  const execute = (args: Args<S>, context: ToolContext): Observable<unknown> => {
    const { memoryId, parameters: shared } = context;
    const options = { parameters: shared, ...(memoryId !== undefined && service.settings.chatMemoryProvider && { memoryId }) };
    const outer = outerRun(context.invocation);
    const undoes = outer !== undefined && undoesOnFailure(outer);
    const onRun = (run: Run) => void runs.set(context.request, [...(runs.get(context.request) ?? []), run]);
    const controls = { undoes, onRun, ...(outer?.controls.calls && { calls: outer.controls.calls }) };
    // What was done last is undone first: the outer invocation waits for this one.
    const letWait = () => {
      if (undoes) outer.unstoppable.run(runs.get(context.request)?.at(-1)?.unstoppable.settled() ?? EMPTY).subscribe();
    };
    return thenStream(
      fromValue(() => input(args, context)),
      (asked) =>
        invocation(service, modes.reactive, userMessageOf(asked, `tool ${rest.name}`, 'what input returned'), options, controls),
    ).pipe(
      tap({ next: (event) => context.progress(asInner(event)), unsubscribe: letWait }),
      filter(({ type }) => type === 'finalResponse'),
      map(contentOf),
    );
  };
  const undo = ({ request, compensated = 'toolError' }: Pick<ToolExecution, 'request' | 'compensated'>) =>
    undoAll(runs.get(request) ?? [], compensated);
  const made: ToolDefinition<S, unknown> = { ...rest, parameters: parameters as S, execute };
  // A service that is left undoes what its tools have done by then, so it need not be left to settle.
  return toolWith(made, { compensate: undo, undoesItself: true }, runService);
}

/** Unlike the last value of a tool's stream, the answer is no progress: its event has been. */
function runService(execute: (context: ToolContext) => unknown, parent: ToolContext): Observable<ToolExecutionResult> {
  return callScope(parent, (context) => defer(() => execute(context) as Observable<unknown>).pipe(map(toolResult)));
}

function plainInput(args: unknown): Input {
  const { input } = args as { readonly input?: unknown };
  return typeof input === 'string' ? input : jsonText(args);
}

/** The answer; where the results of tools are the answer, these. */
function contentOf(event: AiServiceStreamingEvent): unknown {
  const { content, finalResponse, toolExecutions } = resultOf(event);
  const ids = new Set(finalResponse.aiMessage.toolExecutionRequests.map(({ id }) => id));
  if (content !== null || ids.size === 0) return content;
  return toolExecutions.filter(({ request }) => ids.has(request.id)).flatMap(({ resultContents }) => resultContents);
}

/** What could not be undone in there is told outside too. The last run is undone first. */
function undoAll(runs: readonly Run[], reason: CompensationReason): Observable<never> {
  let error: Error | undefined;
  const undone = (run: Run) => {
    const undone$ = run.unstoppable.run(compensate(run, reason)).pipe(
      tap((event) => {
        if (event.type === 'toolCompensated') error ??= event.error;
      }),
      ignoreElements(),
    );
    // Its turn on the memory is over: others may be writing.
    return run.held ? undone$.pipe(inTurn(run.held, run.unstoppable.settled)) : undone$;
  };
  const toUndo = runs.filter(({ gathered }) => gathered.undoable.length > 0).reverse();
  return concat(
    ...toUndo.map(undone),
    defer(() => (error ? throwError(() => error) : EMPTY)),
  );
}
