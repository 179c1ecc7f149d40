import { jsonSafe } from '../chat/json-safe.ts';
import type { ToolExecutionRequest } from '../chat/message.ts';
import { isInner } from '../service/inner-events.ts';
import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';
import { parseArguments } from '../tool/parse-arguments.ts';
import { isArgumentsError } from '../tool/tool-errors.ts';
import type { ToolExecution } from '../tool/types.ts';
import { approvalIdOf } from './approval-id-of.ts';
import type { UiMessageChunk } from './ui-message-chunk.ts';
import type { UiMessageStreamSettings } from './ui-message-stream-options.ts';

/** The calls of one invocation as they are told. */
export interface ToolParts {
  /** Tells of an event, if it is one of a call. */
  write(event: AiServiceStreamingEvent): void;
  /** Those that have not ended never will. */
  endAll(error: Error): void;
}

interface OpenCall {
  readonly toolName: string;
  /** The text of its arguments so far. */
  written: string;
  isComplete: boolean;
  /** The user was asked, and nothing has followed. */
  isAsked: boolean;
  /** The call whose tool is the service that makes this one. */
  readonly within?: string;
}

/** What a call has for a result while one inside of it waits: without one the AI SDK's client would send no decision. */
export const waitsForApproval = 'Waits for an approval.';

export function toolParts(settings: UiMessageStreamSettings, emit: (chunk: UiMessageChunk) => void): ToolParts {
  const { errorText, isDynamic, sendApprovals } = settings;
  /** Those that have not ended, by id. */
  const open = new Map<string, OpenCall>();
  const dynamicOf = (toolName: string) => (isDynamic(toolName) ? { dynamic: true as const } : {});

  const complete = (request: ToolExecutionRequest, within?: string): OpenCall => {
    const { id: toolCallId, name: toolName, arguments: written } = request;
    const known = open.get(toolCallId);
    if (known?.isComplete) return known;
    const call: OpenCall = { toolName, written, isComplete: true, isAsked: false, ...(within !== undefined && { within }) };
    open.set(toolCallId, call);
    // Told to be of the kind that its first piece was: a part does not change it.
    const kind = dynamicOf(known?.toolName ?? toolName);
    emit({ type: 'tool-input-available', toolCallId, toolName, input: inputOf(toolName, written), ...kind });
    return call;
  };
  const failed = (toolCallId: string, { toolName, written, isComplete }: OpenCall, error: Error, isOfInput: boolean) => {
    const told = { toolCallId, errorText: errorText(error), ...dynamicOf(toolName) };
    if (isComplete && !isOfInput) emit({ type: 'tool-output-error', ...told });
    else emit({ type: 'tool-input-error', toolName, input: inputOf(toolName, written), ...told });
  };

  const partial = ({ id: toolCallId, name: toolName, partialArguments }: EventOf<'partialToolCall'>) => {
    let call = open.get(toolCallId);
    if (call?.isComplete) return;
    if (!call) {
      call = { toolName, written: '', isComplete: false, isAsked: false };
      open.set(toolCallId, call);
      emit({ type: 'tool-input-start', toolCallId, toolName, ...dynamicOf(toolName) });
    }
    if (partialArguments === '') return;
    call.written += partialArguments;
    emit({ type: 'tool-input-delta', toolCallId, inputTextDelta: partialArguments });
  };
  const progress = ({ request, value }: EventOf<'toolProgress'>) => {
    if (value === undefined) return;
    // What a service does that is a tool holds its whole invocation, which is not for the user's eyes, but for what they are asked.
    if (isInner(value)) return sendApprovals ? nested(request, value) : undefined;
    const { toolName } = complete(request);
    const told = { toolCallId: request.id, output: jsonSafe(value), ...dynamicOf(toolName) };
    emit({ type: 'tool-output-available', preliminary: true, ...told });
  };
  const asked = (request: ToolExecutionRequest, approvalId: string, within?: string) => {
    complete(request, within).isAsked = true;
    if (sendApprovals) emit({ type: 'tool-approval-request', approvalId, toolCallId: request.id });
  };
  const nested = (outer: ToolExecutionRequest, event: AiServiceStreamingEvent): void => {
    const { invocationId } = event.invocation;
    // The ids of calls may be the same in several invocations.
    const partOf = (request: ToolExecutionRequest) => ({ ...request, id: approvalIdOf(invocationId, request.id) });
    switch (event.type) {
      case 'toolApprovalRequested': {
        if (event.answeredBy !== undefined) return;
        const { toolName } = complete(outer);
        emit({ type: 'tool-output-available', toolCallId: outer.id, output: waitsForApproval, ...dynamicOf(toolName) });
        const part = partOf(event.request);
        return asked(part, part.id, outer.id);
      }
      case 'beforeToolExecution': {
        const call = open.get(partOf(event.request).id);
        if (call) call.isAsked = false;
        return;
      }
      case 'toolProgress':
        return isInner(event.value) ? nested(outer, event.value) : undefined;
      case 'afterToolExecution': {
        const part = partOf(event.execution.request);
        return open.has(part.id) ? ended(event.execution, part) : undefined;
      }
      case 'roundRestarted':
        return endThose((id) => id.startsWith(approvalIdOf(invocationId, '')), event.error);
    }
  };
  const ended = (execution: ToolExecution, request: ToolExecutionRequest) => {
    const { hasFailed, error, rawError, result } = execution;
    const toolCallId = request.id;
    endThose((_, { within }) => within === toolCallId, error ?? new Error('The call was not finished.'));
    const call = complete(request);
    open.delete(toolCallId);
    if (!hasFailed) emit({ type: 'tool-output-available', toolCallId, output: outputOf(execution), ...dynamicOf(call.toolName) });
    else if (call.isAsked && !error && sendApprovals) emit({ type: 'tool-output-denied', toolCallId });
    else failed(toolCallId, call, error ?? new Error(result), isArgumentsError(error) || isArgumentsError(rawError));
  };
  const endThose = (isOne: (id: string, call: OpenCall) => boolean, error: Error) => {
    for (const [id, call] of open) {
      if (!isOne(id, call)) continue;
      open.delete(id);
      failed(id, call, error, false);
    }
  };

  return {
    write(event) {
      switch (event.type) {
        case 'partialToolCall':
          return partial(event);
        case 'completeToolCall':
          return void complete(event.request);
        case 'toolApprovalRequested':
          return asked(event.request, approvalIdOf(event.invocation.invocationId, event.request.id));
        case 'beforeToolExecution':
          complete(event.request).isAsked = false;
          return;
        case 'toolProgress':
          return progress(event);
        case 'afterToolExecution':
          return ended(event.execution, event.execution.request);
      }
    },
    endAll: (error) => endThose(() => true, error),
  };
}

type EventOf<Type extends AiServiceStreamingEvent['type']> = Extract<AiServiceStreamingEvent, { type: Type }>;

/** As the tool gets them; as they are where no tool could. */
function inputOf(toolName: string, written: string): unknown {
  try {
    return parseArguments(toolName, written).value;
  } catch {
    return written;
  }
}

function outputOf({ resultObject, resultContents, result }: ToolExecution): unknown {
  if (resultObject !== undefined) return jsonSafe(resultObject) ?? null;
  return resultContents.every(({ type }) => type === 'text') ? result : jsonSafe(resultContents);
}
