import type { ToolExecutionRequest } from '../chat/message.ts';
import type { ToolContext } from '../tool/types.ts';
import type { Run } from './run.ts';

/** The context of one call, and the handle that ends it. */
export interface ToolScope {
  readonly context: ToolContext;
  abort(reason?: unknown): void;
}

/** The controller is made only if something looks at the signal: most calls end without anybody asking. */
export function toolScope({ invocation }: Run, request: ToolExecutionRequest, progress: (value: unknown) => void): ToolScope {
  let controller: AbortController | undefined;
  let aborted: { readonly reason: unknown } | undefined;
  const { memoryId, parameters } = invocation;
  return {
    context: {
      request,
      invocation,
      ...(memoryId !== undefined && { memoryId }),
      parameters,
      progress,
      get signal() {
        controller ??= new AbortController();
        if (aborted) controller.abort(aborted.reason);
        return controller.signal;
      },
    },
    abort(reason) {
      aborted = { reason };
      controller?.abort(reason);
    },
  };
}
