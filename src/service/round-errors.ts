import { ChatModelError } from '../chat/chat-model-error.ts';
import { messageOf } from '../tool/tool-errors.ts';
import type { Run } from './run.ts';

export function malformedEvent({ model }: Run, cause: unknown): Error {
  const message = `An event of the model can't be used: ${messageOf(cause)}`;
  return new ChatModelError(message, { kind: 'malformedResponse', provider: model.provider, retryable: false, cause });
}

export function withoutResponse({ model }: Run): Error {
  const message = 'The model ended without a completeResponse event.';
  return new ChatModelError(message, { kind: 'malformedResponse', provider: model.provider, retryable: false });
}
