import type { EnvironmentProviders } from '@angular/core';
import type { AiServiceOptions } from '../../service/options.ts';
import type { ScriptedAnswer } from '../../testing/scripted-answer.ts';
import { scriptedModel, type ScriptedModel } from '../../testing/scripted-model.ts';
import type { AiServiceFeature } from '../features.ts';
import { provideAiService } from '../provide-ai-service.ts';

/**
 * Provides a service whose model follows a script, in the place of the real one: answers as `scriptedModel` takes them, or a
 * scripted model, which tells what it was asked. All else is as in `provideAiService`.
 *
 * Throws a `ConfigurationError` on a script that can't be followed.
 *
 * @example
 * TestBed.configureTestingModule({ providers: [provideFakeAiService(['-h-i|'])] });
 */
export function provideFakeAiService<T = string>(
  script: readonly ScriptedAnswer[] | ScriptedModel,
  options: Omit<AiServiceOptions<T>, 'model'> | (() => Omit<AiServiceOptions<T>, 'model'>) = {},
  ...features: readonly AiServiceFeature[]
): EnvironmentProviders {
  const model = 'chat' in script ? script : scriptedModel(script);
  return provideAiService<T>(() => ({ ...(typeof options === 'function' ? options() : options), model }), ...features);
}
