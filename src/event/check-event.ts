import { invalidOption } from '../chat/option-checks.ts';
import { AiServiceEvent } from './ai-service-event.ts';

/** Throws a `ConfigurationError` unless listeners can make something of it. An event of another copy of this package will do. */
export function checkEvent(event: unknown): void {
  if (event instanceof AiServiceEvent && isObject(event.invocation)) return;
  const { type, invocation } = (event ?? {}) as { type?: unknown; invocation?: unknown };
  if (typeof type === 'string' && type && isObject(invocation)) return;
  throw invalidOption('fire', 'the event', event, 'it must be an AiServiceEvent with a type and the invocation that it tells of');
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
