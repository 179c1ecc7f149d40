import { ChatModelError } from '../chat/chat-model-error.ts';
import type { Run } from './run.ts';
import type { Turn } from './turn.ts';

/**
 * Whether a round whose stream broke may be asked for again: while there are `roundRetries` left, none of its tools has
 * started, and what has gone out of it can be taken back.
 */
export function mayRestart({ settings, gathered, policy, controls }: Run, { modelError, failedBy, calls }: Turn): boolean {
  if (!modelError || failedBy !== 'modelError' || gathered.restarts >= (settings.roundRetries ?? 0)) return false;
  if (calls.some(({ hasStarted, execution }) => hasStarted || execution)) return false;
  const isInVain = modelError.error instanceof ChatModelError && !modelError.error.retryable;
  if (isInVain) return false;
  const hasShownText = gathered.text !== '' && !policy.holdsText;
  return !hasShownText || (policy.retractsText && (controls.mayRetract?.(gathered.round) ?? true));
}
