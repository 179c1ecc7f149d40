import { ChatModelError } from '../chat/chat-model-error.ts';
import type { Run } from './run.ts';
import type { Turn } from './turn.ts';

/**
 * Whether a round whose stream broke may be asked for again: while there are `roundRetries` left, none of its tools has
 * started, and what has gone out of it can be taken back.
 */
export function mayRestart(run: Run, { modelError, failedBy, calls }: Turn): boolean {
  const { settings, gathered } = run;
  if (!modelError || failedBy !== 'modelError' || gathered.restarts >= (settings.roundRetries ?? 0)) return false;
  // Whatever has started has ended by now; one that was refused has been told of, too.
  if (calls.some(({ execution }) => execution)) return false;
  const isInVain = modelError.error instanceof ChatModelError && !modelError.error.retryable;
  if (isInVain) return false;
  return mayDropText(run);
}

/** Whether nobody has been shown the text of the round who can't be told to drop it. */
export function mayDropText({ gathered, policy, controls }: Run): boolean {
  if (gathered.text === '' || policy.holdsText) return true;
  return policy.retractsText && (controls.mayRetract?.(gathered.round) ?? true);
}
