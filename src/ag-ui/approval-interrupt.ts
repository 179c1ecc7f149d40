import type { WaitingCall } from '../service/approval-watch.ts';
import type { AgUiInterrupt } from './ag-ui-event.ts';

/** What a client may answer; a denial is an answer, too. */
const responseSchema = {
  type: 'object',
  properties: {
    approved: { type: 'boolean' },
    reason: { type: 'string', description: 'Why not: the model is told.' },
  },
  required: ['approved'],
} as const;

/** Makes the interrupt for a call that waits for an approval. */
export function approvalInterrupt(expiresAt: () => string | undefined = () => undefined) {
  return ({ request: { id, name, arguments: written }, within }: WaitingCall, invocationId: string): AgUiInterrupt => {
    const end = expiresAt();
    return {
      id: interruptId(invocationId, id),
      reason: 'tool_call',
      message: `May ${name} be called with ${shortened(written || '{}')}?`,
      // The client knows the calls of the stream alone.
      toolCallId: within ?? id,
      responseSchema,
      ...(end !== undefined && { expiresAt: end }),
      metadata: { toolCallName: name, arguments: written },
    };
  };
}

/** The interrupt for a call. */
const interruptId = (invocationId: string, callId: string): string => `${invocationId}:${callId}`;

/** The call that an interrupt is for. */
export const callIdOf = (invocationId: string, id: string): string => id.slice(invocationId.length + 1);

/** A prompt is to be read; the call itself holds all of it. */
const shortened = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text);
