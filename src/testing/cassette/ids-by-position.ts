import type { ChatMessage } from '../../chat/message.ts';
import { mapTexts } from './map-texts.ts';

/**
 * The messages with each id of a call told by the call's place: ids that were generated differ from run to run, and what
 * counts is which call a result answers.
 */
export function idsByPosition(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const earlier = new Map<string, string>();
  let latest: ReadonlyMap<string, string> = new Map();
  return messages.map((message, place): ChatMessage => {
    if (message.role === 'tool') return { ...message, id: latest.get(message.id) ?? earlier.get(message.id) ?? message.id };
    if (message.role !== 'assistant') return message;
    const { toolExecutionRequests, attributes } = message;
    latest = new Map(toolExecutionRequests.map(({ id }, i) => [id, `call ${i + 1}`]));
    for (const [id, name] of latest) earlier.set(id, `${name} of messages[${place}]`);
    return {
      ...message,
      toolExecutionRequests: toolExecutionRequests.map((request, i) => ({ ...request, id: `call ${i + 1}` })),
      // Signatures are kept by the id of their call.
      ...(attributes && { attributes: mapTexts(attributes, (text) => latest.get(text) ?? text) as typeof attributes }),
    };
  });
}
