import type { InvocationContext } from '../tool/invocation-context.ts';
import { undoesOnFailure } from './compensation.ts';
import type { Run } from './run.ts';

// No WeakMap: a run knows its context, and V8 keeps such a pair until a full collection, some 18 kB with 16 calls. Behind a function, since
// somebody may freeze an event with all that it is made of.
const run = Symbol('run');

/** Lets a service that is one of its tools find a run: because it undoes what they do, or its calls can be reached from outside. */
export function rememberRun(begun: Run): void {
  if (undoesOnFailure(begun) || begun.controls.calls)
    Object.defineProperty(begun.invocation, run, { value: () => begun, configurable: true });
}

/** The run behind the context that a tool was given. */
export const outerRun = (invocation: InvocationContext | undefined): Run | undefined =>
  (invocation as { readonly [run]?: () => Run } | undefined)?.[run]?.();
