import { identity } from 'rxjs';
import type { ChatResponse } from '../../../src/chat/chat-response.ts';
import type { GuardrailResult } from '../../../src/chat/guardrail-result.ts';
import type { UserMessage } from '../../../src/chat/message.ts';
import type { GuardrailWatch } from '../../../src/service/guardrail/guardrail-chain.ts';
import type { InvocationContext } from '../../../src/tool/invocation-context.ts';

export const userSays = (text: string): UserMessage => ({ role: 'user', contents: [{ type: 'text', text }] });

export const invocation: InvocationContext = {
  invocationId: 'i1',
  userMessage: userSays('hello'),
  originalUserMessage: userSays('hello'),
  parameters: new Map(),
  timestamp: 0,
};

export const answer = (text: string | null): ChatResponse => ({
  aiMessage: { role: 'assistant', text, toolExecutionRequests: [], attributes: { signature: 's' } },
  finishReason: 'stop',
});

export interface Execution<S> {
  readonly guardrail: string;
  readonly result: GuardrailResult;
  readonly duration: number;
  readonly subject: S;
}

/** Keeps what it is told. The clock stands still unless one is given. */
export function keptWatch<S>(now: () => number = () => 0): GuardrailWatch<S> & { readonly executions: readonly Execution<S>[] } {
  const executions: Execution<S>[] = [];
  return {
    executions,
    now,
    asUserCode: identity,
    onExecuted: (guardrail, result, duration, subject) => void executions.push({ guardrail, result, duration, subject }),
  };
}
