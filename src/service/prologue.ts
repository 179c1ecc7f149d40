import { EMPTY, concat, concatMap, ignoreElements, map, of, tap, type Observable } from 'rxjs';
import type { SystemMessage } from '../chat/message.ts';
import { invalidOption } from '../chat/option-checks.ts';
import { fromValue } from '../chat/value.ts';
import { failingBy } from './failing-by.ts';
import { preparedQuestion } from './prepared-question.ts';
import { providedTools } from './provided-tools.ts';
import type { Run } from './run.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { searchToolsOf } from './tool-search.ts';
import { userCode } from './user-code.ts';

/** What must be there before the first request: the system message, the history, the question as the model gets it, and the tools. */
export function prologue(
  run: Run,
  onStarted: (systemMessage: SystemMessage | undefined) => void,
): Observable<AiServiceStreamingEvent> {
  const loaded$ = systemMessageOf(run).pipe(
    concatMap((systemMessage) => {
      onStarted(systemMessage);
      const load$ = run.conversation.load(systemMessage);
      return run.memory ? load$.pipe(failingBy(run, 'memory')) : load$;
    }),
  );
  const stages = [preparedQuestion(run), preparedTools(run)].filter((stage) => stage !== EMPTY);
  // A failed invocation that goes on has its question and its tools already.
  if (run.gathered.isPrepared || stages.length === 0) return loaded$;
  const prepared$ = concat(...stages).pipe(tap({ complete: () => (run.gathered.isPrepared = true) }));
  return concat(loaded$, prepared$);
}

function preparedTools(run: Run): Observable<never> {
  const { toolSearchStrategy, staticProviders } = run.settings;
  if (!toolSearchStrategy && staticProviders.length === 0) return EMPTY;
  return run.conversation.messages().pipe(
    concatMap((messages) => providedTools(run, staticProviders, messages)),
    tap((tools) => {
      // Made before anything is added: when that fails, and the invocation goes on, it is all done once more.
      const searchTools = toolSearchStrategy && searchToolsOf(run, toolSearchStrategy);
      run.tools.add(tools);
      if (searchTools) run.tools.addSearch(searchTools);
    }),
    ignoreElements(),
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
