import type { Turn } from './turn.ts';

/** Whether the results of a round are the answer: no call has failed, and all are immediate or the last one says so. */
export function isImmediate({ response, calls }: Turn): boolean {
  if (!response || calls.length === 0 || calls.some(({ execution }) => execution?.hasFailed !== false)) return false;
  const behaviors = calls.map(({ tool }) => tool?.returnBehavior ?? 'toLlm');
  return behaviors.at(-1) === 'immediateIfLast' || behaviors.every((behavior) => behavior !== 'toLlm');
}
