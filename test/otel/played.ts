import { asyncScheduler } from 'rxjs';
import { tracing } from '../../src/otel/tracing.ts';
import type { TracingOptions } from '../../src/otel/tracing-options.ts';
import { aiService } from '../../src/service/ai-service.ts';
import type { AiServiceOptions, InvocationOptions } from '../../src/service/options.ts';
import { runMarbles, type MarbleKit } from '../../src/testing/run-marbles.ts';
import type { ScriptedAnswer } from '../../src/testing/scripted-answer.ts';
import { scriptedModel, type ScriptedModel, type ScriptedModelOptions } from '../../src/testing/scripted-model.ts';
import { traced } from './traced.ts';

export const silent = { warn: () => undefined, error: () => undefined, debug: () => undefined };

export const modelNamed = (
  modelName: string,
  answers: readonly ScriptedAnswer[],
  options?: ScriptedModelOptions,
): ScriptedModel => ({ ...scriptedModel(answers, options), modelName });

/** Plays one invocation in virtual time, and gives back its spans. */
export function played(
  make: (kit: MarbleKit) => AiServiceOptions,
  options: TracingOptions = {},
  invocation: InvocationOptions = {},
  subscription = '^',
) {
  const spans = traced();
  runMarbles((kit) => {
    const own = tracing({ tracer: spans.tracer, scheduler: asyncScheduler, ...options });
    const service = aiService({ logger: silent, idGenerator: kit.ids, ...make(kit), ...own });
    kit.record(service.stream('Go', invocation), () => '', subscription);
  });
  return spans;
}
