/** Runs one turn at a time; the next begins when the one before has left. */
export interface TurnQueue {
  enter(turn: () => void): void;
  /** Takes back a turn that has not begun. */
  withdraw(turn: () => void): void;
  /** Ends a turn that has begun. */
  leave(turn: () => void): void;
}

export function turnQueue(): TurnQueue {
  const waiting: (() => void)[] = [];
  let current: (() => void) | undefined;
  // A turn that ends at once leaves while it is being started: the loop takes the next, not a deeper call.
  let isStarting = false;
  const startNext = () => {
    if (isStarting) return;
    isStarting = true;
    while (!current && waiting.length > 0) {
      current = waiting.shift();
      current!();
    }
    isStarting = false;
  };
  return {
    enter(turn) {
      waiting.push(turn);
      startNext();
    },
    withdraw(turn) {
      if (waiting.includes(turn)) waiting.splice(waiting.indexOf(turn), 1);
    },
    leave(turn) {
      if (current === turn) current = undefined;
      startNext();
    },
  };
}
