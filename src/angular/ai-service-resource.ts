import { PendingTasks, assertInInjectionContext, computed, inject, signal, type ResourceRef, type Signal } from '@angular/core';
import { rxResource } from '@angular/core/rxjs-interop';
import { defaultIfEmpty, defer, finalize, identity, scan, type Observable } from 'rxjs';
import { checkFlag, checkFunction, checkKnownOptions, invalidOption } from '../chat/option-checks.ts';
import type { AiService } from '../service/ai-service.ts';
import type { Input } from '../service/options.ts';
import { isBlank } from './is-blank.ts';
import { perFrame } from './per-frame.ts';
import { providedService, type ServiceOptions } from './provided-service.ts';

export interface AiServiceResourceOptions<P, V, T> extends ServiceOptions<T> {
  /** What is asked. It is asked anew when signals in here change; `undefined`, or a blank text, asks nothing. */
  readonly params: () => P | undefined;
  /** What the service is asked for; by default for its text, which grows. */
  readonly stream?: ((service: AiService<T>, params: P) => Observable<V>) | undefined;
}

export interface AiServiceResource<V> extends ResourceRef<V> {
  /** Whether more may come. The status of a resource is `resolved` from its first value on. */
  readonly isStreaming: Signal<boolean>;
  /** Narrows `value()`, which throws where there is an error: a text that had begun is gone then. */
  hasValue(): this is AiServiceResource<Exclude<V, undefined>>;
}

const known = ['service', 'perFrame', 'onServer', 'params', 'stream'];

/**
 * What a service says to a question that depends on signals, as a resource: a new question, `reload()` or the end of the component ends
 * the one before. Over Angular's `rxResource`, which is experimental before Angular 22. While a server renders the page it stays idle,
 * unless `onServer` says otherwise.
 *
 * Throws a `ConfigurationError` where no such service is provided or an option can't work, and outside an injection context.
 *
 * @example
 * readonly article = input.required<string>();
 * readonly summary = aiServiceResource({ params: () => `Sum up: ${this.article()}` });
 * // @if (summary.hasValue()) { {{ summary.value() }} } @else if (summary.error()) { … }
 */
export function aiServiceResource<T = string>(
  options: AiServiceResourceOptions<Input, string, T> & { readonly stream?: never },
): AiServiceResource<string | undefined>;
export function aiServiceResource<P, V, T = string>(
  options: AiServiceResourceOptions<P, V, T> & { readonly stream: (service: AiService<T>, params: P) => Observable<V> },
): AiServiceResource<V | undefined>;
export function aiServiceResource<P, V, T>(options: AiServiceResourceOptions<P, V, T>): AiServiceResource<V | undefined> {
  assertInInjectionContext(aiServiceResource);
  checkOptions(options);
  const { service, isPerFrame, isServer, runsHere } = providedService<T>(options);
  const tasks = inject(PendingTasks);
  const { params, stream = textOf as unknown as (service: AiService<T>, params: P) => Observable<V> } = options;
  /** How many run: of a question that follows another, the one before is ended later. */
  const running = signal(0);
  const whileRunning = (source: Observable<V | undefined>) =>
    defer(() => {
      // Angular itself has the page wait for the first value only.
      const settled = isServer ? tasks.add() : () => undefined;
      running.update((count) => count + 1);
      return source.pipe(
        finalize(() => {
          running.update((count) => count - 1);
          settled();
        }),
      );
    });
  const resource = rxResource<V | undefined, P | undefined>({
    params: () => (runsHere ? unlessBlank(params()) : undefined),
    stream: ({ params }) =>
      defer(() => stream(service, params as P)).pipe(
        // A resource that completes without a value would be an error.
        defaultIfEmpty(undefined),
        isPerFrame ? perFrame(() => 0) : identity,
        whileRunning,
      ),
  });
  return Object.assign(resource, { isStreaming: computed(() => running() > 0 || resource.isLoading()) }) as AiServiceResource<
    V | undefined
  >;
}

function textOf<T>(service: AiService<T>, input: Input): Observable<string> {
  return service.text(input).pipe(
    scan((text, piece) => text + piece, ''),
    defaultIfEmpty(''),
  );
}

function unlessBlank<P>(params: P): P | undefined {
  return typeof params === 'string' && isBlank(params) ? undefined : params;
}

function checkOptions<P, V, T>(options: AiServiceResourceOptions<P, V, T>): void {
  checkKnownOptions('aiServiceResource', options, known);
  checkFlag('aiServiceResource', 'perFrame', options.perFrame);
  checkFlag('aiServiceResource', 'onServer', options.onServer);
  checkFunction('aiServiceResource', 'stream', options.stream);
  if (typeof options.params !== 'function')
    throw invalidOption('aiServiceResource', 'params', options.params, 'it must be a function that returns what is asked');
}
