import type { ChatRequest } from '../../chat/chat-request.ts';
import type { ChatMessage } from '../../chat/message.ts';
import type { ToolSpecification } from '../../chat/tool-specification.ts';
import { jsonDifferences, type Difference } from './json-differences.ts';
import type { RequestPath } from './request-path.ts';

/** Where two requests differ; none: they are the same question. */
export function requestDifferences(
  recorded: ChatRequest,
  came: ChatRequest,
  isIgnored: (path: RequestPath) => boolean,
): readonly Difference[] {
  const { messages: recordedMessages, toolSpecifications: recordedTools, ...recordedSettings } = recorded;
  const { messages, toolSpecifications: tools, ...settings } = came;
  return [
    ...messageDifferences(recordedMessages, messages, isIgnored),
    ...toolDifferences(recordedTools, tools, isIgnored),
    ...jsonDifferences(recordedSettings, settings, [], isIgnored),
  ];
}

type Messages = readonly ChatMessage[];

/** A message that was put in or left out is one difference, and does not make all behind it differ. */
function messageDifferences(
  recorded: Messages,
  came: Messages,
  isIgnored: (path: RequestPath) => boolean,
): readonly Difference[] {
  const between = (one: ChatMessage | undefined, other: ChatMessage | undefined, place: number) => {
    const role = (other ?? one)!.role;
    const path = ['messages', { place, role }];
    if (one?.role === role) return jsonDifferences(one, other, path, isIgnored);
    return isIgnored(path) ? [] : [{ path, recorded: one, came: other }];
  };
  const isAlike = (i: number, j: number) => between(recorded[i], came[j], j).length === 0;
  const shortest = Math.min(recorded.length, came.length);
  let head = 0;
  while (head < shortest && isAlike(head, head)) head++;
  let tail = 0;
  while (tail < shortest - head && isAlike(recorded.length - 1 - tail, came.length - 1 - tail)) tail++;
  const [ones, others] = [recorded.slice(head, recorded.length - tail), came.slice(head, came.length - tail)];
  const length = Math.max(ones.length, others.length);
  return Array.from({ length }, (_, i) => between(ones[i], others[i], head + i)).flat();
}

/** Tools are known by their names; in which order they are offered tells nothing. */
function toolDifferences(
  recorded: readonly ToolSpecification[] | undefined,
  came: readonly ToolSpecification[] | undefined,
  isIgnored: (path: RequestPath) => boolean,
): readonly Difference[] {
  const byName = (tools: readonly ToolSpecification[] | undefined) =>
    tools && Object.fromEntries(tools.map((tool) => [tool.name, tool]));
  return jsonDifferences(byName(recorded), byName(came), ['toolSpecifications'], isIgnored);
}
