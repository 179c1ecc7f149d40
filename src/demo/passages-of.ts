import type { AiServiceStreamingEvent, TokenUsage, ToolExecution } from '../index.ts';
import { durationText } from './duration-text.ts';
import type { Passage } from './passage.ts';

/** What there is to tell of an event that came at this time. */
export function passagesOf(event: AiServiceStreamingEvent, timestamp: number): readonly Passage[] {
  const at = timestamp - event.invocation.timestamp;
  switch (event.type) {
    case 'retrievedContents':
      return [{ type: 'line', at, title: 'retrieved', detail: plural(event.contents.length, 'content') }];
    case 'partialThinking':
      return [{ type: 'text', text: event.text, tone: 'dim' }];
    case 'partialResponse':
      return [{ type: 'text', text: event.text }];
    case 'toolApprovalRequested':
      return [
        { type: 'line', at, mark: 'ask', title: event.request.name, detail: `waits for approval: ${event.request.arguments}` },
      ];
    case 'beforeToolExecution':
      return [{ type: 'line', at, mark: 'start', title: event.request.name, detail: event.request.arguments }];
    case 'toolProgress':
      // The last value of a tool's stream is also its result; of these tools it is an object, and the end tells it.
      return typeof event.value === 'string'
        ? [{ type: 'line', at, mark: 'progress', title: event.request.name, detail: event.value, isAside: true }]
        : [];
    case 'afterToolExecution':
      return [ended(event.execution, at)];
    case 'intermediateResponse':
      return [{ type: 'line', at, title: 'model', detail: called(event.response.aiMessage.toolExecutionRequests.length) }];
    case 'toolCompensated':
      return [undone(event, at)];
    case 'retry':
      return [
        { type: 'line', at, mark: 'wait', title: 'retry', detail: `in ${durationText(event.delay)}, because:` },
        { type: 'text', text: `${event.error.message}\n`, tone: 'dim' },
      ];
    case 'roundRestarted':
      return [
        { type: 'line', at, mark: 'wait', title: 'restart', detail: 'drop its text so far, because:' },
        { type: 'text', text: `${event.error.message}\n`, tone: 'dim' },
      ];
    case 'finalResponse':
      return [
        {
          type: 'line',
          at,
          mark: 'end',
          title: 'answer',
          detail: `ended with ${event.response.finishReason ?? 'no reason given'}`,
        },
        { type: 'line', title: 'usage', detail: usageText(event.response.tokenUsage) },
        { type: 'line', title: 'duration', detail: `${durationText(at)}, ${plural(event.round, 'round')}` },
      ];
    default:
      return [];
  }
}

function ended({ request, duration, hasFailed, result }: ToolExecution, at: number): Passage {
  const detail = `${hasFailed ? 'failed ' : ''}in ${durationText(duration)}: ${result}`;
  return { type: 'line', at, mark: hasFailed ? 'failure' : 'end', title: request.name, detail, isAside: true };
}

function undone(
  { execution, reason, error }: Extract<AiServiceStreamingEvent, { type: 'toolCompensated' }>,
  at: number,
): Passage {
  const { name } = execution.request;
  if (error) return { type: 'line', at, mark: 'failure', title: name, detail: `not undone (${reason}): ${error.message}` };
  return { type: 'line', at, mark: 'undo', title: name, detail: `undone (${reason})` };
}

function called(calls: number): string {
  return `has ended its turn with ${plural(calls, 'call')}`;
}

function usageText({ inputTokens, outputTokens, totalTokens }: TokenUsage = {}): string {
  const counts = [
    inputTokens !== undefined && `${inputTokens} tokens in`,
    outputTokens !== undefined && `${outputTokens} out`,
    totalTokens !== undefined && `${totalTokens} in total`,
  ].filter(Boolean);
  return counts.join(', ') || 'not told';
}

function plural(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
