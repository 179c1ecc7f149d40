import { quietly } from '../tool/quietly.ts';
import type { Call } from './call.ts';
import type { Run } from './run.ts';
import { settleTime } from './settle-time.ts';

/** A tool whose work may have to be undone is not waited for any longer. */
export function tellUnsettled(run: Run, { request }: Call): void {
  const text = `${request.name} was stopped in call ${request.id}, and did not end within ${settleTime(run)} ms: if it succeeds now, that is not undone.`;
  quietly(() => run.settings.logger.warn(text));
}
