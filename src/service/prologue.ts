import { concatMap, map, of, type Observable } from 'rxjs';
import type { SystemMessage } from '../chat/message.ts';
import { invalidOption } from '../chat/option-checks.ts';
import { fromValue } from '../chat/value.ts';
import type { Run } from './run.ts';
import { userCode } from './user-code.ts';

/** What must be there before the first request: the system message and the history. */
export function prologue(run: Run, onStarted: (systemMessage: SystemMessage | undefined) => void): Observable<never> {
  return systemMessageOf(run).pipe(
    concatMap((systemMessage) => {
      onStarted(systemMessage);
      return run.conversation.load(systemMessage);
    }),
  );
}

function systemMessageOf(run: Run): Observable<SystemMessage | undefined> {
  const { systemMessage } = run.settings;
  const text$ =
    typeof systemMessage === 'function'
      ? userCode(
          run,
          fromValue(() => systemMessage(run.invocation)),
        )
      : of(systemMessage);
  return text$.pipe(map(checkedMessage));
}

function checkedMessage(text: unknown): SystemMessage | undefined {
  if (text === undefined || text === null || text === '') return undefined;
  if (typeof text === 'string') return { role: 'system', text };
  throw invalidOption('aiService', 'what systemMessage returned', text, 'it must be text');
}
