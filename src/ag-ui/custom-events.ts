import { jsonSafe } from '../chat/json-safe.ts';
import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';
import type { AgUiEvent } from './ag-ui-event.ts';
import { innerEvent } from './inner-event.ts';

/** What the protocol has no word for, under the name that it has here; nothing for what it has a word for, and for what nobody knows. */
export function customEvent(event: AiServiceStreamingEvent): AgUiEvent | undefined {
  const custom = (value: Readonly<Record<string, unknown>>): AgUiEvent => ({
    type: 'CUSTOM',
    name: event.type,
    value: jsonSafe(value),
  });
  switch (event.type) {
    case 'retrievedContents':
      return custom({ contents: event.contents });
    case 'toolApprovalRequested':
      return custom({ ...callOf(event.request), arguments: event.request.arguments });
    case 'beforeToolExecution':
      return custom(callOf(event.request));
    case 'toolProgress':
      return custom({ ...callOf(event.request), value: withoutContext(event.value) });
    case 'toolCompensated': {
      const { execution, reason, error } = event;
      return custom({ ...callOf(execution.request), reason, ...(error && { failed: true }) });
    }
    case 'retry':
      return custom({ attempt: event.attempt, delay: event.delay, error: event.error.name });
    case 'raw':
      return { type: 'RAW', event: jsonSafe(event.event) ?? null };
    default:
      return undefined;
  }
}

const callOf = ({ id, name }: { readonly id: string; readonly name: string }) => ({ toolCallId: id, toolCallName: name });

/** A service that is a tool tells its own events as progress: what the application has put into an invocation is not for the client. */
function withoutContext(value: unknown): unknown {
  const event = innerEvent(value);
  if (!event) return value;
  const told = Object.entries(event).filter(([key]) => key !== 'invocation');
  return Object.fromEntries(
    told.map(([key, part]) => [key, event.type === 'toolProgress' && key === 'value' ? withoutContext(part) : part]),
  );
}
