import { assertInInjectionContext } from '@angular/core';
import type { AiService } from '../service/ai-service.ts';
import { providedService } from './provided-service.ts';

/**
 * The service that `provideAiService` provides, by its name if it has one. What you subscribe to is yours to end.
 *
 * Throws a `ConfigurationError` where there is none, and outside an injection context.
 *
 * @example
 * readonly #assistant = injectAiService();
 */
export function injectAiService<T = string>(name?: string): AiService<T> {
  assertInInjectionContext(injectAiService);
  return providedService<T>(name === undefined ? {} : { service: name }).service;
}
