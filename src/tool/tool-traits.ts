import { take } from 'rxjs';
import { checkFunction, invalidOption } from '../chat/option-checks.ts';
import type { ToolExecutionRequest } from '../chat/message.ts';
import { isSubscribable, thenValue, toObservable, type Value } from '../chat/value.ts';
import type { ExecutionOrder, ReturnBehavior, SearchBehavior, ToolContext, ToolExecution, ToolTraits } from './types.ts';

/** What whoever makes a tool may say of how its calls are treated. */
export interface TraitOptions<A, R = unknown> {
  /** By default the result goes `toLlm`. `immediate` ends the invocation with it, `immediateIfLast` if it is the last call. */
  readonly returnBehavior?: ReturnBehavior | undefined;
  /** By default a tool search has to find the tool: `searchable`. */
  readonly searchBehavior?: SearchBehavior | undefined;
  /** Whether somebody must agree before the tool runs. */
  readonly needsApproval?: boolean | ((args: A, context: ToolContext) => Value<boolean>) | undefined;
  /** By default a call runs beside any other: `parallel`. */
  readonly execution?: ExecutionOrder | undefined;
  /** Undoes what a successful execution has done; runs where the service has `compensateOnToolErrors`. */
  compensate?(execution: ToolExecution<A, R>, context: ToolContext): Value<unknown>;
}

export const traitOptions: readonly (keyof ToolTraits)[] = [
  'returnBehavior',
  'searchBehavior',
  'needsApproval',
  'execution',
  'compensate',
];

const words = {
  returnBehavior: ['toLlm', 'immediate', 'immediateIfLast'],
  searchBehavior: ['searchable', 'alwaysVisible'],
  execution: ['parallel', 'sequential', 'exclusive'],
} as const;

/**
 * Reads the traits; throws a `ConfigurationError` on what they can't be.
 *
 * @param decode - The arguments of a call. It runs before anybody is asked to approve: nobody has to judge what can't be run.
 */
export function toolTraits<A, R>(
  toolName: string,
  definition: TraitOptions<A, R>,
  decode: (request: ToolExecutionRequest) => Value<A>,
): ToolTraits {
  const where = `tool ${toolName}`;
  for (const [option, allowed] of Object.entries(words)) {
    const value = definition[option as keyof typeof words];
    if (value !== undefined && !allowed.some((word) => word === value))
      throw invalidOption(where, option, value, `it must be one of ${allowed.join(', ')}`);
  }
  checkFunction(where, 'compensate', definition.compensate);
  const { returnBehavior, searchBehavior, needsApproval, execution } = definition;
  if (needsApproval !== undefined && typeof needsApproval !== 'boolean' && typeof needsApproval !== 'function')
    throw invalidOption(where, 'needsApproval', needsApproval, 'it must be true, false or a function');
  const ask = (args: A, context: ToolContext): Value<boolean> => {
    const answer = typeof needsApproval === 'function' ? needsApproval(args, context) : (needsApproval ?? false);
    // The first value counts, also of a stream that never ends.
    return isSubscribable(answer) ? toObservable(answer).pipe(take(1)) : answer;
  };
  return {
    ...(returnBehavior && { returnBehavior }),
    ...(searchBehavior && { searchBehavior }),
    ...(execution && { execution }),
    ...(needsApproval && {
      needsApproval: (request, context) => thenValue(decode(request), (args) => ask(args, context)),
    }),
    ...(definition.compensate && {
      compensate: (undone, context) => definition.compensate!(undone as ToolExecution<A, R>, context),
    }),
  };
}
