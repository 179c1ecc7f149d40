import { ConfigurationError } from '../chat/configuration-error.ts';
import { checkFunction } from '../chat/option-checks.ts';
import { captureAsyncContext } from '../memory/async-local.ts';
import type { AiServiceOptions } from '../service/options.ts';
import { traced, tracingAround } from './tracing.ts';
import { checkTracingOptions, type TracingOptions } from './tracing-options.ts';

/**
 * Adds tracing to a service's options, beside the interceptors and listeners that it has. A request's span stands closest to the model,
 * so that one that an interceptor repeats, changes or answers itself is told as what was really sent. A tool's span stands
 * around its interceptors: one for each call. Throws a `ConfigurationError` when the tracing options can't work.
 *
 * @example
 * const assistant = aiService(withTracing({ model, listeners: [log] }, { captureContent: true }));
 */
export function withTracing<T = string>(options: AiServiceOptions<T>, tracingOptions: TracingOptions = {}): AiServiceOptions<T> {
  if (typeof options !== 'object' || options === null)
    throw new ConfigurationError('withTracing: there must be the options of a service, as the first argument.');
  checkTracingOptions('withTracing', tracingOptions);
  if (options.captureContext && traced.has(options.captureContext))
    throw new ConfigurationError('withTracing: the options are traced already; leave out either withTracing() or tracing().');
  checkFunction('withTracing', 'captureContext', options.captureContext);
  const { interceptors, listeners, captureContext } = tracingAround(
    tracingOptions,
    options.captureContext ?? captureAsyncContext,
  );
  const { model, tool, ...others } = options.interceptors ?? {};
  return {
    ...options,
    interceptors: { ...others, model: joined(model, interceptors.model), tool: joined(interceptors.tool, tool) },
    listeners: joined(listeners, options.listeners),
    captureContext,
  };
}

/** What is no list is left to the service, which says what is wrong with it. */
function joined<T>(first: readonly T[] = [], second: readonly T[] = []): readonly T[] {
  const odd = [first, second].find((list) => !Array.isArray(list));
  return odd ?? [...first, ...second];
}
