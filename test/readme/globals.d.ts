import type { AiService, ChatModel, Tool } from '../../src/index.ts';

declare global {
  // What the README's snippets after the quick start go on with.
  const model: ChatModel;
  const weather: Tool;
  const assistant: AiService;
}
