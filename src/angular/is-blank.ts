import type { Input } from '../service/options.ts';

/** Whether nothing is said: what a form or a signal holds before somebody has written. */
export function isBlank(input: Input): boolean {
  return typeof input === 'string' ? input.trim() === '' : Array.isArray(input) && input.length === 0;
}
