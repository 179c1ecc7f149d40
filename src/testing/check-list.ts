/** Checks that are made when time has run out. */
export interface CheckList {
  add(check: () => void): void;
  /** Behind all others, which say more. */
  addLast(check: () => void): void;
  /** Throws when the test is over. */
  checkOpen(): void;
  /** Makes them all; the first that fails points to the line where it was asked for. */
  run(): void;
}

interface Check {
  readonly check: () => void;
  /** Where it was asked for. */
  readonly asked: Error;
}

export function checkList(): CheckList {
  const checks: Check[] = [];
  const lastChecks: Check[] = [];
  let isOver = false;
  const checkOpen = () => {
    if (isOver) throw new Error('runMarbles: the test is over, and nothing is recorded or checked any more.');
  };
  return {
    checkOpen,
    add(check) {
      checkOpen();
      checks.push({ check, asked: new Error() });
    },
    addLast(check) {
      checkOpen();
      lastChecks.push({ check, asked: new Error() });
    },
    run() {
      isOver = true;
      for (const { check, asked } of [...checks, ...lastChecks]) {
        try {
          check();
        } catch (error) {
          throw error instanceof Error ? pointing(error, asked) : error;
        }
      }
    },
  };
}

/** The error with the stack of where its check was asked for, without the lines of this library. */
function pointing(error: Error, { stack = '' }: Error): Error {
  const lines = stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !/check-list|run-marbles\.(ts|js)|dist[\\/]testing/.test(line));
  error.stack = [`${error.name}: ${error.message}`, ...lines].join('\n');
  return error;
}
