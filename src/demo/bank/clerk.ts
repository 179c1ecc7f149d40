import { aiService, type AiService, type ChatModel } from '../../index.ts';
import type { Bank } from './bank.ts';

/** The service that moves money: what it has done is undone when a later booking fails. */
export function clerk(model: ChatModel, bank: Bank): AiService {
  return aiService({
    model,
    systemMessage:
      'You are the clerk of a bank. For a transfer call credit and then debit, both in one answer. Say briefly, in plain text, what came of it.',
    tools: [bank],
    compensateOnToolErrors: true,
  });
}
