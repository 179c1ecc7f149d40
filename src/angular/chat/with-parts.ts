import type { UiAssistantMessage, UiPart } from './ui-message.ts';

/** The message with other parts, and the text that they come to. */
export function withParts(message: UiAssistantMessage, parts: readonly UiPart[]): UiAssistantMessage {
  // Added up, not joined: with each token of a long answer a join would copy all of it.
  const text = parts.reduce((sum, part) => (part.type !== 'text' ? sum : sum === '' ? part.text : `${sum}\n\n${part.text}`), '');
  return { ...message, parts, text };
}
