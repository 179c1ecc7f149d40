import { Observable, catchError, defer, from, type MonoTypeOperatorFunction } from 'rxjs';
import { checkedStream } from '../chat/checked-stream.ts';
import type { ToolExecutionRequest } from '../chat/message.ts';
import { requireFunction } from '../chat/option-checks.ts';
import type { ToolSpecification } from '../chat/tool-specification.ts';
import { thenStream } from '../chat/then-stream.ts';
import type { Checked, CheckedArguments } from './check-arguments.ts';
import { rememberArguments } from './decoded-arguments.ts';
import { ToolExecutionError, isArgumentsError, messageOf } from './tool-errors.ts';
import type { Tool, ToolContext, ToolExecutionResult, ToolTraits } from './types.ts';

/** The two halves of a tool. They are apart because `pipe` works on the second alone. */
interface ToolParts {
  readonly specification: ToolSpecification;
  /** Absent: `run` gets the request itself, and what it throws is passed on as it is. */
  readonly decode?: (request: ToolExecutionRequest) => Checked;
  readonly run: (args: unknown, context: ToolContext) => Observable<ToolExecutionResult>;
  readonly traits?: ToolTraits;
}

export function createTool(parts: ToolParts): Tool {
  const { specification, decode, run, traits } = parts;
  return {
    specification,
    ...traits,
    execute(request, context) {
      return decode ? decoded(() => decode(request), run, context) : defer(() => run(request, context));
    },
    pipe(...operators) {
      const where = `tool ${specification.name}`;
      operators.forEach((operator, place) => requireFunction(where, `operator ${place} of pipe`, operator));
      return createTool({ ...parts, run: (args, context) => piped(where, run(args, context), operators) });
    },
  };
}

function decoded(decode: () => Checked, run: ToolParts['run'], context: ToolContext): Observable<ToolExecutionResult> {
  const runWith = ({ value, repaired }: CheckedArguments) => {
    rememberArguments(context, value, repaired);
    // Outside of what `pipe` added: a user's operators see the user's own errors.
    return run(value, context).pipe(catchError(wrapped));
  };
  return new Observable((subscriber) => {
    const args = decode();
    if (args instanceof Promise) return thenStream(from(args), runWith).subscribe(subscriber);
    // Whoever has left while they were checked wants nothing begun.
    return subscriber.closed ? undefined : runWith(args).subscribe(subscriber);
  });
}

function wrapped(thrown: unknown): never {
  throw isArgumentsError(thrown) ? thrown : new ToolExecutionError(messageOf(thrown), { cause: thrown });
}

function piped<T>(where: string, source: Observable<T>, operators: readonly MonoTypeOperatorFunction<T>[]): Observable<T> {
  return operators.reduce((result, operator) => checkedStream(where, 'an operator of pipe', operator(result)), source);
}
