import fc from 'fast-check';
import type { Content } from '../../src/chat/content.ts';
import type {
  AiMessage,
  ChatMessage,
  SystemMessage,
  ToolExecutionRequest,
  ToolExecutionResultMessage,
  UserMessage,
} from '../../src/chat/message.ts';

function media(
  type: 'image' | 'audio' | 'video' | 'pdf',
  extra: Record<string, fc.Arbitrary<string>> = {},
): fc.Arbitrary<Content> {
  const fields = { type: fc.constant(type), data: fc.base64String(), url: fc.webUrl(), mediaType: fc.string(), ...extra };
  const withData = fc.record(fields, { requiredKeys: ['type', 'data'] });
  const withUrl = fc.record(fields, { requiredKeys: ['type', 'url'] });
  return fc.oneof(withData, withUrl);
}

export const anyContent: fc.Arbitrary<Content> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: fc.string() }),
  media('image', { detail: fc.constantFrom('auto', 'low', 'high') }),
  media('audio'),
  media('video'),
  media('pdf', { name: fc.string() }),
);

/** What a provider may need back: any JSON, also under odd keys; `__proto__` is no key that a provider uses. */
const attributes = fc.dictionary(
  fc.string().filter((key) => key !== '__proto__'),
  fc.jsonValue(),
  { noNullPrototype: true },
);

/** Few ids, so that calls and results of random histories meet, miss and repeat. */
const id = fc.constantFrom('a', 'b', 'c', 'd');

const request: fc.Arbitrary<ToolExecutionRequest> = fc.record({ id, name: fc.string(), arguments: fc.string() });

const anyMessage: fc.Arbitrary<ChatMessage> = fc.oneof(
  fc.record<SystemMessage>({ role: fc.constant('system'), text: fc.string() }),
  fc.record<UserMessage>({ role: fc.constant('user'), contents: fc.array(anyContent, { maxLength: 3 }) }),
  fc.record(
    {
      role: fc.constant('assistant' as const),
      text: fc.option(fc.string()),
      thinking: fc.string(),
      toolExecutionRequests: fc.array(request, { maxLength: 3 }),
      attributes,
    },
    { requiredKeys: ['role', 'text', 'toolExecutionRequests'] },
  ) as fc.Arbitrary<AiMessage>,
  fc.record(
    {
      role: fc.constant('tool' as const),
      id,
      toolName: fc.string(),
      contents: fc.array(anyContent, { maxLength: 2 }),
      isError: fc.boolean(),
      attributes,
    },
    { requiredKeys: ['role', 'id', 'toolName', 'contents', 'isError'] },
  ) as fc.Arbitrary<ToolExecutionResultMessage>,
);

export const anyMessages: fc.Arbitrary<ChatMessage[]> = fc.array(anyMessage, { maxLength: 12 });
