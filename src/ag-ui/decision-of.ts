import { isObject } from '../chat/is-object.ts';
import type { ApprovalDecision } from '../service/options.ts';
import type { AgUiResume } from './run-agent-input.ts';

/** What an answer to an interrupt decides. Throws a `TypeError` on one that is neither a yes nor a no. */
export function decisionOf({ interruptId, status, payload }: AgUiResume): ApprovalDecision {
  if (status === 'cancelled') return { approved: false, reason: 'The user did not answer.' };
  if (typeof payload === 'boolean') return payload;
  const { approved, reason } = isObject(payload) ? payload : {};
  if (typeof approved === 'boolean' && (reason === undefined || typeof reason === 'string'))
    return { approved, ...(reason !== undefined && { reason }) };
  throw new TypeError(
    `The answer to ${interruptId} is neither yes nor no: its payload must be { approved: boolean, reason?: string }.`,
  );
}
