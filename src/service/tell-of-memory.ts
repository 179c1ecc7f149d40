import { memoryName } from '../memory/memory-name.ts';
import { quietly } from '../tool/quietly.ts';
import type { Run } from './run.ts';

type Told = Pick<Run, 'memory' | 'settings'>;

/** A write has failed where the error reaches nobody: the invocation has failed with another one, or nobody listens any more. */
export function tellUnwritten({ memory, settings }: Told, error: unknown): void {
  const text = `${memoryName(memory!)} could not be written: what was said and done since the last write is not in it.`;
  quietly(() => settings.logger.error(text, error));
}

/** What a memory returned had to be repaired for the model. */
export function tellBroken({ memory, settings }: Told, problems: readonly string[]): void {
  const shown = [...problems.slice(0, 5), ...(problems.length > 5 ? ['…'] : [])].join(', ');
  quietly(() => settings.logger.warn(`${memoryName(memory!)} is broken, and repaired for the model alone: ${shown}`));
}
