import type { InvocationContext } from '../tool/invocation-context.ts';
import { undoesOnFailure } from './compensation.ts';
import type { Run } from './run.ts';

const runs = new WeakMap<InvocationContext, Run>();

/** Lets a service that is one of its tools find a run: because it undoes what they do, or its calls can be reached from outside. */
export function rememberRun(run: Run): void {
  if (undoesOnFailure(run) || run.controls.calls) runs.set(run.invocation, run);
}

/** The run behind the context that a tool was given. */
export const outerRun = (invocation: InvocationContext): Run | undefined => runs.get(invocation);
