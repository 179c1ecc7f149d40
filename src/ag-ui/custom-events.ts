import { jsonSafe } from '../chat/json-safe.ts';
import { isInner } from '../service/inner-events.ts';
import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';
import type { AgUiEvent } from './ag-ui-event.ts';

type Told = Readonly<Record<string, unknown>>;

/** What the protocol has no word for, under the name that it has here; nothing for what it has a word for, and for what nobody knows. */
export function customEvent(event: AiServiceStreamingEvent): AgUiEvent | undefined {
  if (event.type === 'raw') return { type: 'RAW', event: jsonSafe(event.event) ?? null };
  const value = customValue(event);
  return value && { type: 'CUSTOM', name: event.type, value: jsonSafe(value) };
}

/** Field by field: an error may say what is not for the client, and the invocation holds what is the application's own. */
function customValue(event: AiServiceStreamingEvent): Told | undefined {
  switch (event.type) {
    case 'retrievedContents':
      return { contents: event.contents };
    case 'toolApprovalRequested':
      return { ...callOf(event.request), arguments: event.request.arguments };
    case 'beforeToolExecution':
      return callOf(event.request);
    case 'toolProgress':
      return { ...callOf(event.request), value: isInner(event.value) ? innerValue(event.value) : event.value };
    case 'toolCompensated':
      return { ...callOf(event.execution.request), reason: event.reason, ...(event.error && { failed: true }) };
    case 'retry':
      return { attempt: event.attempt, delay: event.delay, error: event.error.name };
    default:
      return undefined;
  }
}

/** An event of a service that is a tool: it has no messages of its own in the protocol, so the same is told in these words. */
function innerValue(event: AiServiceStreamingEvent): Told {
  const { type, round } = event;
  return { type, round, ...(customValue(event) ?? innerParts(event)) };
}

function innerParts(event: AiServiceStreamingEvent): Told {
  switch (event.type) {
    case 'partialResponse':
    case 'partialThinking':
      return { text: event.text };
    case 'partialToolCall':
      return { ...callOf(event), partialArguments: event.partialArguments };
    case 'completeToolCall':
      return { ...callOf(event.request), arguments: event.request.arguments };
    case 'afterToolExecution': {
      const { request, result, hasFailed } = event.execution;
      return { ...callOf(request), ...(hasFailed ? { isError: true } : { result }) };
    }
    case 'intermediateResponse':
    case 'answerCut':
    case 'finalResponse': {
      const { aiMessage, finishReason } = event.response;
      return { text: aiMessage.text, ...(finishReason && { finishReason }) };
    }
    case 'roundRestarted':
      return { error: event.error.name };
    case 'raw':
      return { event: event.event };
    default:
      return {};
  }
}

const callOf = ({ id, name }: { readonly id: string; readonly name: string }) => ({ toolCallId: id, toolCallName: name });
