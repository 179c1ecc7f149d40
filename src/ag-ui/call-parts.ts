import type { ToolExecutionRequest } from '../chat/message.ts';
import { didNotComplete } from '../memory/repair-history.ts';
import type { ToolExecution } from '../tool/types.ts';
import type { AgUiEvent } from './ag-ui-event.ts';
import { partsOf } from './parts-of.ts';

/** The tool calls of a round, as the protocol has them: begun, argued, ended, answered. */
export interface CallParts {
  /** More of what the model writes. */
  write(id: string, name: string, text: string): void;
  /** It is written. */
  complete(request: ToolExecutionRequest): void;
  answer(execution: ToolExecution): void;
  /** Ends what is still being written. With `answers` each call that has none gets a neutral one, so that the history is valid. */
  close(answers: 'all' | 'unwritten'): void;
}

export interface CallPartsContext {
  readonly emit: (event: AgUiEvent) => void;
  readonly newMessageId: () => string;
  /** The message that holds the calls of the round. */
  readonly owner: () => string;
  /** The arguments are other ones in the end than those that were streamed, which can't be taken back. */
  readonly onCorrected: (id: string, text: string) => void;
}

interface CallState {
  readonly name: string;
  written: string;
  isOpen: boolean;
  isComplete: boolean;
  isAnswered: boolean;
}

export function callParts({ emit, newMessageId, owner, onCorrected }: CallPartsContext): CallParts {
  const calls = new Map<string, CallState>();

  const begin = (id: string, name: string): CallState => {
    const call = { name, written: '', isOpen: true, isComplete: false, isAnswered: false };
    calls.set(id, call);
    emit({ type: 'TOOL_CALL_START', toolCallId: id, toolCallName: name, parentMessageId: owner() });
    return call;
  };
  const append = (id: string, call: CallState, delta: string) => {
    if (!delta) return;
    call.written += delta;
    emit({ type: 'TOOL_CALL_ARGS', toolCallId: id, delta });
  };
  const end = (id: string, call: CallState, metadata?: Readonly<Record<string, unknown>>) => {
    if (!call.isOpen) return;
    call.isOpen = false;
    emit({ type: 'TOOL_CALL_END', toolCallId: id, ...(metadata && { metadata }) });
  };
  const complete = ({ id, name, arguments: text }: ToolExecutionRequest): CallState => {
    const call = calls.get(id) ?? begin(id, name);
    if (call.isComplete) return call;
    call.isComplete = true;
    const isContinued = text.startsWith(call.written);
    if (isContinued) append(id, call, text.slice(call.written.length));
    end(id, call, isContinued ? undefined : { arguments: text });
    if (!isContinued) onCorrected(id, text);
    return call;
  };
  const answer = (
    id: string,
    call: CallState,
    content: Extract<AgUiEvent, { type: 'TOOL_CALL_RESULT' }>['content'],
    failed: boolean,
  ) => {
    if (call.isAnswered) return;
    call.isAnswered = true;
    emit({
      type: 'TOOL_CALL_RESULT',
      messageId: newMessageId(),
      toolCallId: id,
      role: 'tool',
      content,
      ...(failed && { metadata: { isError: true } }),
    });
  };

  return {
    write(id, name, text) {
      const known = calls.get(id);
      if (known?.isComplete) return;
      append(id, known ?? begin(id, name), text);
    },
    complete,
    answer({ request, result, resultContents, hasFailed }) {
      answer(request.id, complete(request), partsOf(resultContents, result), hasFailed);
    },
    close(answers) {
      for (const [id, call] of calls) {
        end(id, call);
        if (answers === 'all' || !call.isComplete) answer(id, call, didNotComplete, true);
      }
    },
  };
}
