import type { ChatMessage } from '../../src/chat/message.ts';
import type { ChatMemory, ChatMemoryStore } from '../../src/memory/chat-memory.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { tokenWindowMemory } from '../../src/memory/token-window-memory.ts';
import { historyViolations } from './history-violations.ts';
import type { MemoryPlan } from './plan.ts';
import type { Random } from './random.ts';
import { SoakError } from './soak-error.ts';

/** A memory whose store looks at everything that is written to it. */
export interface SoakMemory {
  readonly memory: ChatMemory;
  /** What the store holds. */
  messages(): readonly ChatMessage[];
  /** From now on the store does not fail any more. */
  mend(): void;
}

export function soakMemory({ window, store: kind }: MemoryPlan, random: Random, violations: string[]): SoakMemory {
  let held: readonly ChatMessage[] = [];
  let fails = kind === 'failing';
  const work = <T>(done: () => T): T | Promise<T> => {
    if (kind === 'sync') return done();
    const breaks = fails && random.chance(0.15);
    // It may break before and after its work: then nobody knows what it has kept.
    const isDone = random.chance(0.5);
    return new Promise((resolve) => setTimeout(resolve, random.between(0, 3))).then(() => {
      if (!breaks) return done();
      if (isDone) done();
      throw new SoakError('The store is out of order.');
    });
  };
  const store: ChatMemoryStore = {
    getMessages: () => work(() => (kind === 'copying' ? (JSON.parse(JSON.stringify(held)) as readonly ChatMessage[]) : held)),
    updateMessages: (_, messages) =>
      work(() => {
        held = messages;
        violations.push(...historyViolations(messages).map((violation) => `memory: ${violation}`));
      }),
    deleteMessages: () =>
      work(() => {
        held = [];
      }),
  };
  return {
    memory: memoryOf(window, store),
    messages: () => held,
    mend: () => (fails = false),
  };
}

function memoryOf(window: MemoryPlan['window'], store: ChatMemoryStore): ChatMemory {
  if (window === 'tokens')
    return tokenWindowMemory({ maxTokens: 400, countTokens: (messages) => JSON.stringify(messages).length / 4, store });
  return messageWindowMemory({ maxMessages: window === 'roomy' ? 10_000 : 6, store });
}
