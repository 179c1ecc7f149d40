import type { ToolExecutionRequest } from '../chat/message.ts';
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
export function approvalInterrupt(expiresAt?: () => string) {
  return ({ id, name, arguments: written }: ToolExecutionRequest, invocationId: string): AgUiInterrupt => ({
    id: `${invocationId}:${id}`,
    reason: 'tool_call',
    message: `May ${name} be called with ${written || '{}'}?`,
    toolCallId: id,
    responseSchema,
    ...(expiresAt && { expiresAt: expiresAt() }),
    metadata: { toolCallName: name, arguments: written },
  });
}
