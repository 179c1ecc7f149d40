import { guardrail } from '../../src/chat/guardrail-result.ts';
import { toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import type { AiServiceOptions } from '../../src/service/options.ts';
import type { Logger } from '../../src/tool/types.ts';
import { clock } from './quick-clock.ts';
import { eventKeeper } from './event-keeper.ts';
import type { Plan, ServicePlan } from './plan.ts';
import type { Random } from './random.ts';
import { SoakError } from './soak-error.ts';
import { soakTool } from './soak-tool.ts';

const silent: Logger = { warn: () => undefined, error: () => undefined, debug: () => undefined };

/** The options of a service as planned, but for its model and its memory. */
export function serviceOptions({ tools, service }: Plan, random: Random): Omit<AiServiceOptions, 'model'> {
  const { compensateOnToolErrors, toolTimeout, roundRetries, maxRoundTrips, toolConcurrency, maxToolResultLength } = service;
  const keeper = eventKeeper(new Set(tools.map(({ name }) => name)));
  const throwing = () => {
    throw new SoakError('A listener has failed.');
  };
  return {
    tools: tools.map((plan) => soakTool(plan, { tools, service })),
    compensateOnToolErrors,
    toolTimeout,
    roundRetries,
    maxToolCallingRoundTrips: maxRoundTrips,
    ...(toolConcurrency !== undefined && { toolConcurrency }),
    ...(maxToolResultLength !== undefined && { maxToolResultLength }),
    ...(service.hasSystemMessage && { systemMessage: 'Be brief.' }),
    limits: limitsOf(service, random),
    ...failuresOf(service),
    ...approvalOf(service, random),
    ...hooksOf(service, random),
    ...(service.unknownTools === 'told' && { hallucinatedToolNameStrategy: () => 'There is no such tool.' }),
    ...(service.guardrail && { outputGuardrails: [() => judgement(random)] }),
    listeners: service.throwingListener ? [throwing, keeper] : [keeper],
    logger: silent,
    scheduler: clock,
  };
}

/** `value`, after some ms of the world. */
const later = <T>(ms: number, value: () => T): Promise<T> => new Promise<void>((resolve) => setTimeout(resolve, ms)).then(value);

function limitsOf({ limits, then }: ServicePlan, { between }: Random): NonNullable<AiServiceOptions['limits']> {
  switch (limits) {
    case 'none':
      return { then };
    case 'duration':
      return { duration: between(300, 3000), then };
    case 'toolCalls':
    case 'identicalToolCalls':
      return { [limits]: between(1, 4), then };
    case 'totalTokens':
      return { totalTokens: between(5, 60), then };
  }
}

function failuresOf({ failures }: ServicePlan): Partial<AiServiceOptions> {
  if (failures === 'default') return {};
  if (failures === 'told') return { toolExecutionErrorHandler: toolExecutionErrorHandler.sendExceptionMessageToLlm() };
  return { toolExecutionErrorHandler: (error) => later(1, () => `It has failed: ${error.message}`) };
}

function approvalOf({ approval }: ServicePlan, { chance, between }: Random): Partial<AiServiceOptions> {
  switch (approval) {
    case 'yes':
      return { approveToolExecution: () => true };
    case 'no':
      return { approveToolExecution: () => ({ approved: false, reason: 'No.' }) };
    case 'late':
      return { approveToolExecution: () => later(between(0, 10), () => chance(0.7)) };
    case 'fails':
      return { approveToolExecution: () => Promise.reject(new SoakError('Nobody is at the desk.')) };
    case 'nobody':
      return {};
  }
}

function hooksOf({ hooks }: ServicePlan, { chance }: Random): Partial<AiServiceOptions> {
  if (hooks === 'none') return {};
  const hook = () =>
    later(1, () => {
      if (hooks === 'failing' && chance(0.1)) throw new SoakError('A hook has failed.');
    });
  return { beforeToolExecution: hook, afterToolExecution: hook };
}

function judgement({ pick }: Random) {
  return pick([
    guardrail.success(),
    guardrail.success(),
    guardrail.rewrite('better so'),
    guardrail.retry('once more'),
    guardrail.reprompt('not so', 'Be more precise.'),
    guardrail.fatal('never'),
  ]);
}
