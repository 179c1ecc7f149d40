import { fromTask } from '../../../src/chat/value.ts';
import type { Tool, ToolContext, ToolExecution } from '../../../src/tool/types.ts';
import { watch } from '../../chat/watch.ts';
import { contextFor } from '../call.ts';

interface Undone {
  readonly execution: ToolExecution;
  readonly context: ToolContext;
}

/** Undoes a successful execution with these arguments, as a service would, and tells what with. */
export function undo(tool: Tool, args: Record<string, unknown> = {}, resultObject?: unknown): Undone {
  const context = contextFor(tool, args);
  const execution: ToolExecution = {
    request: context.request,
    arguments: args,
    result: 'done',
    resultContents: [{ type: 'text', text: 'done' }],
    resultObject,
    hasFailed: false,
    compensated: 'toolError',
    startTime: 0,
    finishTime: 1,
    duration: 1,
  };
  const { end, error } = watch(fromTask(() => tool.compensate!(execution, context)));
  if (end !== 'complete') throw error;
  return { execution, context };
}
