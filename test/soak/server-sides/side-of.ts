import type { ServerSide } from '../server-side.ts';
import { anthropicSide } from './anthropic.ts';
import { geminiSide } from './gemini.ts';
import { ollamaSide } from './ollama.ts';
import { openAiChatSide } from './openai-chat.ts';
import { openAiResponsesSide } from './openai-responses.ts';

/** Which API is asked at a path. */
const sides: readonly (readonly [RegExp, ServerSide])[] = [
  [/^chat\/completions$/, openAiChatSide],
  [/^responses$/, openAiResponsesSide],
  [/^messages$/, anthropicSide],
  [/:streamGenerateContent/, geminiSide],
  [/^api\/chat$/, ollamaSide],
];

export const sideOf = (path: string): ServerSide | undefined => sides.find(([pattern]) => pattern.test(path))?.[1];
