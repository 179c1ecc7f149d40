import { asyncScheduler } from 'rxjs';
import type { $ZodType } from 'zod/v4/core';
import { checkMethods, checkedIds, invalidOption } from '../chat/option-checks.ts';
import { randomId } from '../chat/random-id.ts';
import type { ToolSpecification } from '../chat/tool-specification.ts';
import { captureAsyncContext } from '../memory/async-local.ts';
import type { ToolProvider } from '../tool/tool-provider.ts';
import type { Tool } from '../tool/types.ts';
import { checkOptions } from './check-options.ts';
import type { AiServiceOptions } from './options.ts';
import { outputFormat, type OutputFormat } from './output/output-format.ts';
import { augmentorOf } from './retrieval/retrieval.ts';
import { serviceTools } from './service-tools.ts';

/** A service's options, checked and with the defaults that hold in every mode. */
export type Settings = AiServiceOptions<unknown> &
  Required<
    Pick<
      AiServiceOptions,
      'maxToolCallingRoundTrips' | 'maxOutputGuardrailRetries' | 'logger' | 'scheduler' | 'idGenerator' | 'captureContext'
    >
  > & {
    readonly toolsByName: ReadonlyMap<string, Tool>;
    /** The same array for every request, so that a model can keep what it made of it. */
    readonly toolSpecifications: readonly ToolSpecification[];
    readonly staticProviders: readonly ToolProvider[];
    readonly dynamicProviders: readonly ToolProvider[];
    readonly augmentor: ReturnType<typeof augmentorOf>;
    readonly outputFormat: OutputFormat | undefined;
  };

/** Throws a `ConfigurationError` that names the option, its value and the remedy. */
export function settings(options: AiServiceOptions<unknown>): Settings {
  checkOptions(options);
  const providers = checkedProviders(options.toolProviders ?? []);
  const toolsByName = serviceTools(options);
  return {
    ...options,
    maxToolCallingRoundTrips: options.maxToolCallingRoundTrips ?? 100,
    maxOutputGuardrailRetries: options.maxOutputGuardrailRetries ?? 2,
    logger: options.logger ?? console,
    scheduler: options.scheduler ?? asyncScheduler,
    idGenerator: options.idGenerator ? checkedIds('aiService', options.idGenerator) : randomId,
    captureContext: options.captureContext ?? captureAsyncContext,
    toolsByName,
    toolSpecifications: [...toolsByName.values()].map(({ specification }) => specification),
    augmentor: augmentorOf(options),
    outputFormat: options.output && outputFormat(checkedOutput(options.output)),
    staticProviders: providers.filter(({ isDynamic }) => !isDynamic),
    dynamicProviders: providers.filter(({ isDynamic }) => isDynamic),
  };
}

/** Text that an output guardrail has not seen is not shown. */
export const holdsText = ({ outputGuardrails }: Settings): boolean =>
  outputGuardrails !== undefined && outputGuardrails.length > 0;

/** Those who can't take text back get it in one piece, once it has passed. */
export const isTextWhole = (settings: Settings): boolean => holdsText(settings) || settings.outputFormat !== undefined;

function checkedOutput(output: unknown): $ZodType {
  if (typeof (output as { _zod?: unknown } | null)?._zod === 'object') return output as $ZodType;
  throw invalidOption('aiService', 'output', output, 'it must be a schema of zod 4, as z.object({ … })');
}

function checkedProviders(providers: unknown): readonly ToolProvider[] {
  if (!Array.isArray(providers)) throw invalidOption('aiService', 'toolProviders', providers, 'it must be an array');
  providers.forEach((provider: unknown, index) =>
    checkMethods('aiService', `toolProviders[${index}]`, provider ?? null, ['provideTools']),
  );
  return providers as readonly ToolProvider[];
}
