import type { AiServiceEvent } from '../../event/ai-service-event.ts';
import type { InvocationContext } from '../../tool/invocation-context.ts';

/** An event of a service, and what the clock said. */
export interface Heard {
  readonly time: number;
  readonly event: AiServiceEvent;
}

/** The invocation that failed with this very error, or the only one that was heard of. */
export function ownerOf(pending: readonly Heard[], error: unknown): InvocationContext | undefined {
  const contexts = pending.map(({ event }) => event.invocation);
  const failed = pending.find(({ event }) => error !== undefined && (event as { error?: unknown }).error === error);
  const isAlone = contexts.every(({ invocationId }) => invocationId === contexts[0]?.invocationId);
  return failed?.event.invocation ?? (isAlone ? contexts[0] : undefined);
}
