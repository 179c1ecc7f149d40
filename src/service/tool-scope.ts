import type { ToolExecutionRequest } from '../chat/message.ts';
import { toolContext } from '../tool/tool-context.ts';
import type { ToolContext } from '../tool/types.ts';
import type { Run } from './run.ts';

/** The context of one call, and the handle that ends it. */
export interface ToolScope {
  readonly context: ToolContext;
  abort(reason?: unknown): void;
}

export function toolScope({ invocation }: Run, request: ToolExecutionRequest, progress: (value: unknown) => void): ToolScope {
  let controller: AbortController | undefined;
  let aborted: { readonly reason: unknown } | undefined;
  const { memoryId, parameters } = invocation;
  const signal = () => {
    controller ??= new AbortController();
    if (aborted) controller.abort(aborted.reason);
    return controller.signal;
  };
  return {
    context: toolContext({ request, invocation, memoryId, parameters }, progress, signal),
    abort(reason) {
      aborted = { reason };
      controller?.abort(reason);
    },
  };
}
