import type { AiMessage, ChatMessage, ToolExecutionRequest, ToolExecutionResultMessage } from '../chat/message.ts';

/** What the model is told of a call whose result was never written: neutral, so that no text of an error leaks. */
export const didNotComplete = 'Tool execution did not complete.';

export function unansweredResult({ id, name }: ToolExecutionRequest): ToolExecutionResultMessage {
  return { role: 'tool', id, toolName: name, contents: [{ type: 'text', text: didNotComplete }], isError: true };
}

/**
 * Makes a valid conversation of what a store returned: every call gets its results right behind it, in the order of the
 * calls, under an id that no other call has; results without a call and messages with nothing in them are left out. A valid
 * history comes back message by message the same. `note` is told what is wrong with a message, by its place.
 */
export function repairHistory(
  messages: readonly ChatMessage[],
  note: (place: number, problem: string) => void = () => {},
): ChatMessage[] {
  const repaired: ChatMessage[] = [];
  const taken = new Set<ChatMessage>();
  const unique = uniqueIds();
  const repairUnit = (message: AiMessage, place: number) => {
    const { toolExecutionRequests } = message;
    const requests = toolExecutionRequests.map((request) => withId(request, unique(request.id)));
    const isChanged = requests.some((request, index) => request !== toolExecutionRequests[index]);
    if (isChanged) note(place, 'has no id of its own for a call');
    repaired.push(isChanged ? { ...message, toolExecutionRequests: requests } : message);
    resultsOf(message, resultsBehind(messages, place)).forEach((result, index) => {
      const request = requests[index]!;
      if (result) taken.add(result);
      else note(place, `has no result for ${request.id}`);
      repaired.push(result ? withId(result, request.id) : unansweredResult(request));
    });
  };
  messages.forEach((message, place) => {
    if (message.role === 'tool') {
      if (!taken.has(message)) note(place, 'has no call');
    } else if (isEmpty(message)) note(place, 'is empty');
    else if (message.role === 'assistant') repairUnit(message, place);
    else repaired.push(message);
  });
  return repaired;
}

function isEmpty(message: ChatMessage): boolean {
  if (message.role === 'user') return message.contents.length === 0;
  return message.role === 'assistant' && message.toolExecutionRequests.length === 0 && !message.text;
}

/** Gives back the id that it gets, or one like it where that is taken or empty. */
function uniqueIds(): (id: string) => string {
  const uses = new Map([['', 1]]);
  const unique = (id: string): string => {
    const count = (uses.get(id) ?? 0) + 1;
    uses.set(id, count);
    return count === 1 ? id : unique(`${id || 'call'}-${count}`);
  };
  return unique;
}

function withId<T extends { readonly id: string }>(value: T, id: string): T {
  return value.id === id ? value : { ...value, id };
}

/** The results up to the next answer of the model: where a process died, other messages may lie between. */
function resultsBehind(messages: readonly ChatMessage[], index: number): ToolExecutionResultMessage[] {
  const results: ToolExecutionResultMessage[] = [];
  for (let place = index + 1; place < messages.length; place++) {
    const message = messages[place]!;
    if (message.role === 'assistant') break;
    if (message.role === 'tool') results.push(message);
  }
  return results;
}

/** The result of each call, where there is one: two calls with one id have two results. */
function resultsOf(
  { toolExecutionRequests }: AiMessage,
  results: readonly ToolExecutionResultMessage[],
): readonly (ToolExecutionResultMessage | undefined)[] {
  const left = new Map<string, ToolExecutionResultMessage[]>();
  // The last one first: the first is popped.
  for (const result of results.toReversed()) {
    const same = left.get(result.id);
    if (same) same.push(result);
    else left.set(result.id, [result]);
  }
  return toolExecutionRequests.map(({ id }) => left.get(id)?.pop());
}
