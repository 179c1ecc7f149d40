import { vi as timers } from 'vitest';

/** Stands in for the test runner in the code of the guide: the tests are run at once, one after the other. */
const tests: (readonly [title: string, test: () => unknown])[] = [];

/** @public used by the code of the guide */
export const it = (title: string, test: () => unknown): void => void tests.push([title, test]);

/** The tests that have been declared since the last time. */
export const declared = (): typeof tests => tests.splice(0);

/** @public used by the code of the guide */
export const vi = timers;
