import { concatMap, map, of, type Observable } from 'rxjs';
import type { SystemMessage } from '../chat/message.ts';
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
  return text$.pipe(map((text) => (text ? { role: 'system', text } : undefined)));
}
