import { longestTimer } from '../chat/longest-timer.ts';
import type { Run } from './run.ts';

/** How long something may take that nobody can stop half-way, in ms. */
export const settleTime = ({ settings }: Run): number => Math.min(settings.toolTimeout ?? 60_000, longestTimer);
