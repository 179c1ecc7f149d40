import { quietly } from '../tool/quietly.ts';

/** For the developer: the user is told nothing of it. */
export function logError(what: string, error: unknown): void {
  quietly(() => console.error(what, error));
}
