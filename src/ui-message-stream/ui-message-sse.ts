import { checkKnownOptions } from '../chat/option-checks.ts';
import { sseOptions, sseSettings, type SseOptions } from '../sse-response/sse-options.ts';

/** How the response is made; its last event is the protocol's. */
export type UiMessageResponseOptions = Omit<SseOptions, 'lastData'>;

/** The options of a response of server-sent events that makes it a UI message stream. */
export function uiMessageSse(where: string, options: UiMessageResponseOptions): SseOptions {
  checkKnownOptions(
    where,
    options,
    sseOptions.filter((option) => option !== 'lastData'),
  );
  sseSettings(where, options);
  return { ...options, headers: { ...options.headers, 'x-vercel-ai-ui-message-stream': 'v1' }, lastData: '[DONE]' };
}
