import { map, type Observable } from 'rxjs';
import type { ChatMessage } from '../chat/message.ts';
import { invalidOption } from '../chat/option-checks.ts';
import { fromValue, type Value } from '../chat/value.ts';

/** What the model sees in one invocation and memory never does: answers that were refused, and why. */
export interface UnstoredMessages {
  add(messages: readonly ChatMessage[]): void;
  has(message: ChatMessage): boolean;
  /** What a memory keeps of a history, and these: they take no room in its window, and push nothing out of it. */
  fitted(
    history: readonly ChatMessage[],
    fit: (messages: readonly ChatMessage[]) => Value<readonly ChatMessage[]>,
  ): Observable<readonly ChatMessage[]>;
  /** Puts those of `before` into the same history as it was read again. */
  putBack(before: readonly ChatMessage[], read: ChatMessage[]): void;
}

export function unstoredMessages(): UnstoredMessages {
  const messages = new Set<ChatMessage>();
  const has = (message: ChatMessage) => messages.has(message);

  return {
    add(added) {
      for (const message of added) messages.add(message);
    },
    has,
    fitted(history, fit) {
      const stored = messages.size === 0 ? history : history.filter((message) => !has(message));
      return fromValue(() => fit(stored)).pipe(
        map((kept) => {
          const isArray: boolean = Array.isArray(kept);
          if (!isArray) throw invalidOption('the chat memory', 'what fit returned', kept, 'it must be an array of messages');
          if (messages.size === 0) return kept;
          const fitting = new Set(kept);
          const all = history.filter((message) => fitting.has(message) || has(message));
          // A memory that hands out copies does not tell which of them stood where: then these are last, and copies too.
          const isKnown = all.length === kept.length + history.length - stored.length;
          return isKnown ? all : [...kept, ...[...messages].map((message) => ({ ...message }))];
        }),
      );
    },
    putBack(before, read) {
      // Counted from the end: the memory may have let go of what is old.
      before.toReversed().forEach((message, behind) => {
        if (!has(message)) return;
        let place = Math.max(0, read.length - behind);
        // Others may have written since: nothing may stand between a call and its results.
        while (read[place]?.role === 'tool') place++;
        read.splice(place, 0, message);
      });
    },
  };
}
