import type { UiAssistantMessage, UiPart } from './ui-message.ts';

/** The message with other parts, and the text that they come to. */
export function withParts(message: UiAssistantMessage, parts: readonly UiPart[]): UiAssistantMessage {
  // Added up, not joined: with each token of a long answer a join would copy all of it.
  let text = '';
  let textRound: number | undefined;
  for (const part of parts) {
    if (part.type !== 'text') continue;
    text += textRound === undefined || textRound === part.round ? part.text : `\n\n${part.text}`;
    textRound = part.round;
  }
  return { ...message, parts, text };
}
