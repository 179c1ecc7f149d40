/** Runs works one after the other, also those that are put while one runs. */
export interface Turns {
  /** Before all commands that wait. */
  happening(work: () => void): void;
  /** When everything that has happened is told. */
  command(work: () => void): void;
}

/**
 * Whoever is told of something may act on it at once. Without turns the others would be told of what came of that first, and
 * of what led to it last.
 */
export function inTurns(): Turns {
  const happenings: (() => void)[] = [];
  const commands: (() => void)[] = [];
  let isRunning = false;
  const runAll = () => {
    if (isRunning) return;
    isRunning = true;
    try {
      for (let next = happenings.shift() ?? commands.shift(); next; next = happenings.shift() ?? commands.shift()) next();
    } finally {
      isRunning = false;
    }
  };
  return {
    happening(work) {
      happenings.push(work);
      runAll();
    },
    command(work) {
      commands.push(work);
      runAll();
    },
  };
}
