import { makeEnvironmentProviders, type EnvironmentProviders } from '@angular/core';
import { checkText } from '../chat/option-checks.ts';
import { aiService } from '../service/ai-service.ts';
import type { AiServiceOptions } from '../service/options.ts';
import type { AiServiceFeature } from './features.ts';
import { tokenOf, type ProvidedService } from './provided-service.ts';

/**
 * Provides a service to an application or a route. It is made when it is first injected; a function is then called in an
 * injection context, so that models and tools may `inject()`.
 *
 * Throws a `ConfigurationError` when the name is no text; what the service can't work with is thrown where it is injected.
 *
 * @example
 * bootstrapApplication(App, {
 *   providers: [provideAiService(() => ({ model: inject(MODEL), tools: [injectableTool({ … })] }))],
 * });
 */
export function provideAiService<T = string>(
  options: AiServiceOptions<T> | (() => AiServiceOptions<T>),
  ...features: readonly AiServiceFeature[]
): EnvironmentProviders {
  const { name, perFrame = false, onServer = false }: AiServiceFeature = Object.assign({}, ...features) as AiServiceFeature;
  if (name !== undefined) checkText('provideAiService', 'name', name);
  const useFactory = (): ProvidedService<unknown> => {
    const given = typeof options === 'function' ? options() : options;
    const named = name === undefined ? given : { name, ...given };
    return { service: aiService(named) as ProvidedService<unknown>['service'], perFrame, onServer };
  };
  return makeEnvironmentProviders([{ provide: tokenOf(name), useFactory }]);
}
