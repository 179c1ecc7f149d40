import type { ChatMessage, ToolExecutionRequest, ToolExecutionResultMessage } from '../chat/message.ts';

/** The calls of one invocation, and what has become of them: results that were undone, ids that others have taken. */
export interface OwnCalls {
  readonly byId: ReadonlyMap<string, ToolExecutionRequest>;
  add(call: ToolExecutionRequest): void;
  /** A call got another id. */
  rename(id: string, unique: string): void;
  /** Other results than those that the calls with these ids had. */
  replaceResults(results: ReadonlyMap<string, ToolExecutionResultMessage>): void;
  /** A message as it is now: the same, unless it is a result that has another in its place. */
  now(message: ChatMessage): ChatMessage;
}

export function ownCalls(): OwnCalls {
  const byId = new Map<string, ToolExecutionRequest>();
  const renamed = new Map<string, string>();
  const replacements = new Map<string, ToolExecutionResultMessage>();
  return {
    byId,
    add: (call) => void byId.set(call.id, call),
    rename(id, unique) {
      renamed.set(id, unique);
      const call = byId.get(id);
      if (call) byId.set(unique, call);
    },
    replaceResults(results) {
      for (const [asked, result] of results) {
        const id = renamed.get(asked) ?? asked;
        replacements.set(id, { ...result, id });
      }
    },
    now(message) {
      if (message.role !== 'tool') return message;
      const result = replacements.get(message.id);
      // Another process may have used the id for a tool of its own.
      return result?.toolName === message.toolName ? result : message;
    },
  };
}
