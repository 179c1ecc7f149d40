import { InjectionToken, PLATFORM_ID, inject } from '@angular/core';
import { ConfigurationError } from '../chat/configuration-error.ts';
import { invalidOption } from '../chat/option-checks.ts';
import type { AiService } from '../service/ai-service.ts';

/** A service with what holds for its chats and resources. */
export interface ProvidedService<T> {
  readonly service: () => AiService<T>;
  readonly perFrame: boolean;
  readonly onServer: boolean;
}

/** One token per name, as `Symbol.for` has one symbol: who provides and who injects need share nothing but the name. */
const tokens = new Map<string | undefined, InjectionToken<ProvidedService<unknown>>>();

export function tokenOf(name: string | undefined): InjectionToken<ProvidedService<unknown>> {
  const token = tokens.get(name) ?? new InjectionToken(`toolstream AiService ${name ?? ''}`.trim());
  tokens.set(name, token);
  return token;
}

export interface ServiceOptions<T> {
  /** The service: the one that is provided by default, one by its name, or one that you have. */
  readonly service?: string | AiService<T> | undefined;
  /** Whether it changes once per frame at most. Off by default; in a hidden page what is not urgent waits. */
  readonly perFrame?: boolean | undefined;
  /** Whether it also runs while a server renders the page. By default nothing does. */
  readonly onServer?: boolean | undefined;
}

export interface UsedService<T> {
  readonly service: AiService<T>;
  readonly isPerFrame: boolean;
  readonly isServer: boolean;
  readonly runsHere: boolean;
}

/** Which service is meant, and what holds here. Throws a `ConfigurationError` where none is provided. */
export function providedService<T>(options: ServiceOptions<T>): UsedService<T> {
  checkService(options.service);
  const isServer = inject(PLATFORM_ID) === 'server';
  const { service, perFrame, onServer } =
    typeof options.service === 'object'
      ? { service: () => options.service as AiService<T>, perFrame: false, onServer: false }
      : found<T>(options.service);
  return {
    service: service(),
    isServer,
    // A server draws no frames.
    isPerFrame: !isServer && (options.perFrame ?? perFrame),
    runsHere: !isServer || (options.onServer ?? onServer),
  };
}

function found<T>(name: string | undefined): ProvidedService<T> {
  const provided = inject(tokenOf(name), { optional: true }) as ProvidedService<T> | null;
  if (provided) return provided;
  const [what, feature] = name === undefined ? ['no AI service', ''] : [`no AI service named ${name}`, `, withName('${name}')`];
  throw new ConfigurationError(
    `toolstream/angular: there is ${what} here; add provideAiService({ … }${feature}) to the providers of the application or route.`,
  );
}

function checkService(service: unknown): void {
  const hasStart = typeof (service as { start?: unknown } | null | undefined)?.start === 'function';
  if (service === undefined || typeof service === 'string' || hasStart) return;
  throw invalidOption('toolstream/angular', 'service', service, 'it must be a name or an AI service');
}
