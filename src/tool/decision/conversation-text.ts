import { textOf } from '../../chat/content.ts';
import type { ChatMessage } from '../../chat/message.ts';
import type { ToolProviderRequest } from '../tool-provider.ts';
import { shortened } from './shortened.ts';

export interface ConversationTextOptions {
  readonly maxMessages: number;
  readonly messageFilter: (message: ChatMessage) => boolean;
  readonly maxMessageLength: number;
}

/**
 * The conversation as a text: the system messages and the last of the others. The user's message is always there, in the
 * user's own words.
 *
 *     system: You help with travels.
 *     user: What is the weather in Oslo?
 *     assistant: calls get_weather with {"city":"Oslo"}
 *     tool: get_weather: Sunny
 *       all day.
 */
export function conversationText(request: ToolProviderRequest, options: ConversationTextOptions): string {
  const { maxMessages, messageFilter, maxMessageLength } = options;
  const known = placeOfUserMessage(request);
  const current = known < 0 ? request.messages.length : known;
  const messages = [...request.messages];
  messages[current] = request.invocation.originalUserMessage;
  const places = [...messages.keys()].filter((place) => place === current || messageFilter(messages[place]!));
  const spoken = places.filter((place) => messages[place]!.role !== 'system').slice(-maxMessages);
  // After many rounds of tools the user's message is not among the last.
  if (!spoken.includes(current)) spoken[0] = current;
  const told = new Set(spoken);
  return places
    .filter((place) => told.has(place) || messages[place]!.role === 'system')
    .map((place) => lineOf(messages[place]!, maxMessageLength))
    .join('\n');
}

/** A history that was stored holds a copy. */
function placeOfUserMessage({ messages, userMessage, invocation }: ToolProviderRequest): number {
  const place = messages.lastIndexOf(userMessage);
  if (place >= 0) return place;
  const texts = [userMessage, invocation.originalUserMessage].map(({ contents }) => textOf(contents));
  return messages.findLastIndex((message) => message.role === 'user' && texts.includes(textOf(message.contents)));
}

function textFor(message: ChatMessage): string {
  switch (message.role) {
    case 'system':
      return message.text;
    case 'user':
      return textOf(message.contents);
    case 'assistant': {
      const calls = message.toolExecutionRequests.map((call) => `calls ${call.name} with ${call.arguments || '{}'}`);
      return [...(message.text ? [message.text] : []), ...calls].join('\n');
    }
    case 'tool':
      return `${message.toolName}${message.isError ? ' failed' : ''}: ${textOf(message.contents)}`;
  }
}

/** Only a message begins at the margin: no text in it can pretend to be another one. */
function lineOf(message: ChatMessage, maxLength: number): string {
  const lines = shortened(textFor(message), maxLength).split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
  return `${message.role}: ${lines.join('\n  ')}`;
}
