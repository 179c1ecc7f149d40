import type { Timeline } from '../timeline.ts';
import { durationText } from './duration-text.ts';

const states: Readonly<Record<Timeline['status'], string>> = {
  running: 'running for',
  completed: 'completed in',
  failed: 'failed after',
  cancelled: 'cancelled after',
};

/** The whole in one line. */
export function headlineOf({ status, end, duration, rounds, calls, retrieval }: Timeline): string {
  const parts = [
    `${states[status]} ${durationText(end ?? duration)}`,
    counted(rounds.length, 'round'),
    counted(calls.length, 'tool call'),
    retrieval ? `${counted(retrieval.contents, 'content')} retrieved` : '',
  ];
  return parts.filter(Boolean).join(' · ');
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
