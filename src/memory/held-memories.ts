import { asyncLocal } from './async-local.ts';
import type { ChatMemory } from './chat-memory.ts';

/** The memories whose turn is held by the code that runs now: that of a tool, of the tool that started that one, and so on. */
export interface HeldMemories {
  readonly memory: ChatMemory;
  readonly outer: HeldMemories | undefined;
  /** The turn is over: what the code left behind has nothing to wait for. */
  isOver: boolean;
}

const storage = asyncLocal<HeldMemories | undefined>();

export const heldMemories = (): HeldMemories | undefined => storage.getStore();

/** Runs code of the user, which must not wait for the turn that it runs in. */
export function whileHolding(held: HeldMemories | undefined, work: () => void): void {
  // Entering the storage makes every promise of the process dearer on Node before 24: not for invocations without memory.
  if (held === storage.getStore()) work();
  else storage.run(held, work);
}

export function isHeld(memory: ChatMemory): boolean {
  for (let held = heldMemories(); held; held = held.outer) if (held.memory === memory && !held.isOver) return true;
  return false;
}
