import { checkText } from '../chat/option-checks.ts';

/** What else holds for a service that is provided; made by the functions beside it. */
export interface AiServiceFeature {
  readonly name?: string;
  readonly perFrame?: boolean;
  readonly onServer?: boolean;
}

/** Provides the service under a name, beside others: `injectAiService('support')`. Throws a `ConfigurationError` unless it is a text. Its events tell it as `serviceName`. */
export function withName(name: string): AiServiceFeature {
  checkText('withName', 'name', name);
  return { name };
}

/** Chats and resources of this service change once per frame at most, however fast tokens come. */
export function withTokensPerFrame(): AiServiceFeature {
  return { perFrame: true };
}

/** Chats and resources of this service also run while a server renders the page, which waits until they have ended. */
export function withServerRendering(): AiServiceFeature {
  return { onServer: true };
}
