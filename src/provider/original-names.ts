import { map, type MonoTypeOperatorFunction } from 'rxjs';
import type { ChatModelEvent } from '../chat/chat-model.ts';
import type { ToolSpecification } from '../chat/tool-specification.ts';

/** Gives the tools back the names that were mapped for the wire; costs nothing where none was. */
export function originalNames(
  specifications: readonly ToolSpecification[] = [],
  wireName: (name: string) => string,
): MonoTypeOperatorFunction<ChatModelEvent> {
  const mapped = specifications.map(({ name }) => [wireName(name), name] as const).filter(([wire, name]) => wire !== name);
  if (mapped.length === 0) return (source) => source;
  const originals = new Map(mapped);
  const original = <T extends { readonly name: string }>(named: T): T => ({
    ...named,
    name: originals.get(named.name) ?? named.name,
  });
  return map((event) => {
    switch (event.type) {
      case 'partialToolCall':
        return original(event);
      case 'completeToolCall':
        return { ...event, request: original(event.request) };
      case 'completeResponse': {
        const { aiMessage } = event.response;
        const toolExecutionRequests = aiMessage.toolExecutionRequests.map(original);
        return { ...event, response: { ...event.response, aiMessage: { ...aiMessage, toolExecutionRequests } } };
      }
      default:
        return event;
    }
  });
}
