import { chatRequestOptions, type ChatRequest } from '../../chat/chat-request.ts';
import type { ChatMessage } from '../../chat/message.ts';
import type { ToolSpecification } from '../../chat/tool-specification.ts';
import { jsonCopy } from './json-copy.ts';
import { mapTexts } from './map-texts.ts';
import { mediaMarked } from './media-mark.ts';
import { withoutSecrets } from './secret-keys.ts';

/** What tells the form of something, and holds no words of anybody. */
const formKeys: readonly unknown[] = ['role', 'type', 'how', 'kind', 'finishReason'];

/** Redacts each text of JSON, but never what its form depends on. */
export function redactTexts(value: unknown, redact: (text: string) => string): unknown {
  return mapTexts(
    value,
    (text, key) => (formKeys.includes(key) ? text : redact(text)),
    // The keys of the form itself are plain words.
    (key) => (/^[a-z]+$/i.test(key) ? key : redact(key)),
  );
}

/** A request as it is taped and compared: as JSON, its settings in a fixed order, without secrets and without bytes. */
export function tapedRequest(request: ChatRequest, redact: (text: string) => string): ChatRequest {
  const copy = jsonCopy(request) as ChatRequest;
  const keys = new Set([...chatRequestOptions, ...Object.keys(copy)]) as ReadonlySet<keyof ChatRequest>;
  const settings = [...keys].filter((key) => copy[key] !== undefined).map((key) => [key, copy[key]] as const);
  const { messages, toolSpecifications, providerOptions } = copy;
  const shaped = {
    ...Object.fromEntries(settings),
    messages: messages.map(tapedMessage),
    ...(toolSpecifications && { toolSpecifications: toolSpecifications.map(tapedTool) }),
    ...(providerOptions && { providerOptions: withoutSecrets(providerOptions) }),
  };
  return redactTexts(shaped, redact) as ChatRequest;
}

/** With its properties in a fixed order. */
function tapedMessage(message: ChatMessage): ChatMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', contents: message.contents.map(mediaMarked) };
    case 'assistant': {
      const { text, thinking, toolExecutionRequests, attributes } = message;
      const calls = toolExecutionRequests.map(({ id, name, arguments: written }) => ({ id, name, arguments: written }));
      return {
        role: 'assistant',
        text,
        ...(thinking !== undefined && { thinking }),
        toolExecutionRequests: calls,
        ...(attributes && { attributes: withoutSecrets(attributes) as typeof attributes }),
      };
    }
    case 'tool': {
      // The attributes of a result are for the application: they never reach the model.
      const { id, toolName, contents, isError } = message;
      return { role: 'tool', id, toolName, contents: contents.map(mediaMarked), isError };
    }
    case 'system':
      return { role: 'system', text: message.text };
  }
}

function tapedTool(tool: ToolSpecification): ToolSpecification {
  return tool.metadata ? { ...tool, metadata: withoutSecrets(tool.metadata) as NonNullable<typeof tool.metadata> } : tool;
}
