import type { AgUiEvent } from './ag-ui-event.ts';

/** What the model says and thinks in a round, as the protocol has it: messages that begin, grow and end. */
export interface TextParts {
  say(text: string): void;
  think(text: string): void;
  /** Ends what is open. Text that follows goes on in the same message, a thought is a new one. */
  close(): void;
  hasText(): boolean;
}

/** @param owner - The message that holds the text of the round. */
export function textParts(emit: (event: AgUiEvent) => void, newMessageId: () => string, owner: () => string): TextParts {
  let open: { readonly type: 'text' | 'thought'; readonly id: string } | undefined;
  let hasText = false;
  const close = () => {
    if (!open) return;
    const { type, id: messageId } = open;
    open = undefined;
    if (type === 'text') return emit({ type: 'TEXT_MESSAGE_END', messageId });
    emit({ type: 'REASONING_MESSAGE_END', messageId });
    emit({ type: 'REASONING_END', messageId });
  };
  return {
    say(delta) {
      if (!delta) return;
      if (open?.type !== 'text') {
        close();
        open = { type: 'text', id: owner() };
        emit({ type: 'TEXT_MESSAGE_START', messageId: open.id, role: 'assistant' });
      }
      hasText = true;
      emit({ type: 'TEXT_MESSAGE_CONTENT', messageId: open.id, delta });
    },
    think(delta) {
      if (!delta) return;
      if (open?.type !== 'thought') {
        close();
        open = { type: 'thought', id: newMessageId() };
        emit({ type: 'REASONING_START', messageId: open.id });
        emit({ type: 'REASONING_MESSAGE_START', messageId: open.id, role: 'reasoning' });
      }
      emit({ type: 'REASONING_MESSAGE_CONTENT', messageId: open.id, delta });
    },
    close,
    hasText: () => hasText,
  };
}
