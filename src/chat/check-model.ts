import type { ChatModel } from './chat-model.ts';
import { invalidOption } from './option-checks.ts';

/** Throws a `ConfigurationError` unless it is a chat model. */
export function checkModel(where: string, model: ChatModel): void {
  if (typeof (model as Partial<ChatModel> | undefined)?.chat === 'function') return;
  throw invalidOption(where, 'model', model, 'it must be a chat model, as openAiChat({ … }) returns');
}
