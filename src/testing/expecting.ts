import type { CheckList } from './check-list.ts';

/** An expectation that must be told what is expected: one that says nothing would pass, whatever happens. */
export function expecting<T extends readonly unknown[]>(
  checks: CheckList,
  name: string,
  compare: (wanted: T) => void,
): { toBe(...wanted: T): void } {
  let isTold = false;
  checks.addLast(() => {
    if (!isTold) throw new Error(`${name}: nothing is expected; say what by toBe(…).`);
  });
  return {
    toBe(...wanted) {
      isTold = true;
      checks.add(() => compare(wanted));
    },
  };
}
