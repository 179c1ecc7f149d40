import { ToolExecutedEvent } from '../event/tool-executed-event.ts';
import type { Run } from './run.ts';
import type { Turn } from './turn.ts';

/** Tells of the calls that have ended, in request order, until a listener has given the invocation up. */
export function fireToolExecuted({ fire, invocation }: Run, { calls }: Turn, isOver: () => boolean): void {
  for (const { request, execution } of calls) {
    if (!execution || isOver()) continue;
    const { resultContents, hasFailed: isError, error } = execution;
    fire(() => new ToolExecutedEvent({ invocation, request, resultContents, isError, ...(error && { error }) }));
  }
}
