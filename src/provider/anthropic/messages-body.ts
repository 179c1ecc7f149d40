import type { ChatRequest } from '../../chat/chat-request.ts';
import type { ToolSpecification } from '../../chat/tool-specification.ts';
import { formatInWords } from '../format-in-words.ts';
import { jsonBody } from '../json-body.ts';
import { plainKeys } from '../schema/plain-keys.ts';
import { serialisedOnce } from '../serialised-once.ts';
import { wireJson } from '../wire-json.ts';
import { wireName } from '../wire-name.ts';
import { messageListJson, systemJson } from './message-list.ts';
import { marked, type CacheMarks } from './prompt-cache.ts';
import { closedSchema, settingsOf } from './settings.ts';

/**
 * The body of a Messages request, as JSON text; throws a `ChatModelError` on what can't be said in it. The messages come
 * last: what a later round adds stands at the end of the text.
 */
export function messagesBody(request: ChatRequest, marks: CacheMarks): string {
  const { messages, toolSpecifications = [], responseFormat, providerOptions } = request;
  const isInWords = responseFormat?.type === 'json' && !closedSchema(responseFormat);
  const system = systemJson(messages, isInWords ? formatInWords(responseFormat) : '', marks.system);
  return jsonBody(settingsOf(request), providerOptions, {
    ...(system !== undefined && { system: () => system }),
    ...(toolSpecifications.length > 0 && { tools: () => marked(toolsJson(toolSpecifications), '}]', marks.tools) }),
    messages: () => messageListJson(messages, marks.lastMessage),
  });
}

// A service hands in the same array for every request.
const toolsJson = serialisedOnce((tools: readonly ToolSpecification[]) => wireJson(tools.map(wireTool)));

function wireTool({ name, description, parameters }: ToolSpecification): Readonly<Record<string, unknown>> {
  return { name: wireName(name), ...(description !== undefined && { description }), input_schema: plainKeys(parameters) };
}
