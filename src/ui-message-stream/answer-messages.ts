import { isObject } from '../chat/is-object.ts';
import { jsonText } from '../chat/json-safe.ts';
import type { AiMessage, ChatMessage, ToolExecutionRequest, ToolExecutionResultMessage } from '../chat/message.ts';
import { unansweredResult } from '../memory/repair-history.ts';
import { waitsForApproval } from './tool-parts.ts';
import type { PostedMessage, PostedPart } from './posted-messages.ts';

/** An answer as the UI has it, as the messages that it came from: of each step what the model said, and the results of its calls. */
export function answerMessages({ parts }: PostedMessage): readonly ChatMessage[] {
  return stepsOf(parts).flatMap((step): readonly ChatMessage[] => {
    // It was asked for again.
    if (step.some(({ type }) => type === 'data-round-restarted')) return [];
    // A call whose arguments were not whole was none.
    const calls = step.filter((part) => isToolPart(part) && part.state !== 'input-streaming' && !isInner(part));
    const text = saidIn(step, 'text');
    if (text === '' && calls.length === 0) return [];
    const thinking = saidIn(step, 'reasoning');
    const answer: AiMessage = {
      role: 'assistant',
      text: text || null,
      ...(thinking && { thinking }),
      toolExecutionRequests: calls.map(requestOf),
    };
    return [answer, ...calls.map(resultOf)];
  });
}

function stepsOf(parts: readonly PostedPart[]): readonly (readonly PostedPart[])[] {
  const steps: PostedPart[][] = [[]];
  for (const part of parts) {
    if (part.type === 'step-start') steps.push([]);
    else steps.at(-1)!.push(part);
  }
  return steps;
}

const isToolPart = ({ type }: PostedPart): boolean => type === 'dynamic-tool' || type.startsWith('tool-');

// A call inside a tool that is a service is none of this model's: its part has the id of its approval.
const isInner = ({ approval, toolCallId }: PostedPart): boolean => approval !== undefined && approval.id === toolCallId;

function saidIn(step: readonly PostedPart[], type: 'text' | 'reasoning'): string {
  return step.map((part) => (part.type === type ? part.text : '')).join('');
}

function requestOf({ type, toolCallId, toolName, input, rawInput }: PostedPart): ToolExecutionRequest {
  const name = type === 'dynamic-tool' ? toolName! : type.slice('tool-'.length);
  const written = input ?? rawInput;
  // What the model wrote is no object where it could not be read: then it is told as it is.
  const text = typeof written === 'string' ? written : isObject(written) ? JSON.stringify(written) : '{}';
  return { id: toolCallId!, name, arguments: text };
}

function resultOf(part: PostedPart): ToolExecutionResultMessage {
  const request = requestOf(part);
  const result = (text: string, isError: boolean): ToolExecutionResultMessage => {
    return { role: 'tool', id: request.id, toolName: request.name, contents: [{ type: 'text', text }], isError };
  };
  switch (part.state) {
    case 'output-error':
      return result(part.errorText || 'The tool failed.', true);
    case 'output-denied': {
      const reason = part.approval?.reason;
      return result(reason ? `The call was not approved: ${reason}` : 'The call was not approved.', true);
    }
    case 'output-available':
      if (!part.preliminary && part.output !== waitsForApproval)
        return result(typeof part.output === 'string' ? part.output : jsonText(part.output ?? null), false);
  }
  return unansweredResult(request);
}
