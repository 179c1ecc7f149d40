import { Injector, inject, makeEnvironmentProviders, runInInjectionContext, type EnvironmentProviders } from '@angular/core';
import { ConfigurationError } from '../chat/configuration-error.ts';
import { checkKnownOptions } from '../chat/option-checks.ts';
import { aiService, type AiService } from '../service/ai-service.ts';
import type { AiServiceOptions } from '../service/options.ts';
import type { AiServiceFeature } from './features.ts';
import { tokenOf, type ProvidedService } from './provided-service.ts';

/**
 * Provides a service to an application or a route. It is made when it is first injected; a function is then called in an
 * injection context, so that models and tools may `inject()`.
 *
 * For the providers of an application or a route, not for those of a component. What the service can't work with is thrown, as a
 * `ConfigurationError`, where it is injected.
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
  for (const feature of features) checkKnownOptions('provideAiService: a feature', feature, ['name', 'perFrame', 'onServer']);
  const { name, perFrame = false, onServer = false }: AiServiceFeature = Object.assign({}, ...features) as AiServiceFeature;
  const make = () => {
    const given = typeof options === 'function' ? options() : options;
    return aiService(name === undefined ? given : { name, ...given }) as AiService<unknown>;
  };
  const useFactory = (): ProvidedService<unknown> => ({ service: madeOnce(make), perFrame, onServer });
  return makeEnvironmentProviders([{ provide: tokenOf(name), useFactory }]);
}

/** Made when it is first asked for, and not when Angular looks whether there is one: it would take what is missing in there for a missing service. */
function madeOnce<T>(make: () => T): () => T {
  const injector = inject(Injector);
  let made: { readonly value: T } | undefined;
  let isMaking = false;
  return () => {
    if (made) return made.value;
    if (isMaking)
      throw new ConfigurationError('provideAiService: the options of the service inject the service that they are for.');
    isMaking = true;
    try {
      made = { value: runInInjectionContext(injector, make) };
      return made.value;
    } finally {
      isMaking = false;
    }
  };
}
