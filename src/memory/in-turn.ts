import { Observable, finalize, type MonoTypeOperatorFunction } from 'rxjs';
import type { ChatMemory } from './chat-memory.ts';
import { isHeld, type HeldMemories } from './held-memories.ts';
import { memoryName } from './memory-name.ts';
import { turnQueue, type TurnQueue } from './turn-queue.ts';

/** An invocation was started inside another one on the same chat memory, for whose end it would have to wait. */
export class ChatMemoryBusyError extends Error {
  override readonly name = 'ChatMemoryBusyError';
}

const queues = new WeakMap<ChatMemory, TurnQueue>();

/**
 * Lets invocations on one memory take turns, in order of subscription. The turn is held until `settled` has completed
 * too: an invocation that was given up may still be writing.
 *
 *     first   ^--a--|
 *     second  ^-----.--b--|
 */
export function inTurn<T>(held: HeldMemories, settled: () => Observable<never>): MonoTypeOperatorFunction<T> {
  const { memory } = held;
  return (source) =>
    new Observable<T>((subscriber) => {
      if (isHeld(memory)) throw new ChatMemoryBusyError(busy(memory));
      const queue = queues.get(memory) ?? turnQueue();
      queues.set(memory, queue);
      const end = () => {
        held.isOver = true;
        queue.leave(turn);
      };
      const leave = () => settled().pipe(finalize(end)).subscribe();
      const turn = () => {
        held.isOver = false;
        source.subscribe(subscriber);
        // Added behind the source's own teardown, in which a last write may begin.
        subscriber.add(leave);
      };
      subscriber.add(() => queue.withdraw(turn));
      queue.enter(turn);
    });
}

function busy(memory: ChatMemory): string {
  return `${memoryName(memory)} is held by the invocation that started this one, which would wait for itself: give the inner call another memory.`;
}
