import { forkJoin, map, of, type Observable } from 'rxjs';
import type { ChatMessage } from '../chat/message.ts';
import { fromValue } from '../chat/value.ts';
import type { ToolProvider } from '../tool/tool-provider.ts';
import type { Tool } from '../tool/types.ts';
import type { Run } from './run.ts';
import { checkTools } from './toolset.ts';
import { userCode } from './user-code.ts';

/** What the dynamic providers offer for the next request: emits once. */
export const offeredTools = (run: Run, messages: readonly ChatMessage[]): Observable<readonly Tool[]> =>
  providedTools(run, run.settings.dynamicProviders, messages);

/** What these providers offer, in their order. They are asked at the same time: emits once. */
export function providedTools(
  run: Run,
  providers: readonly ToolProvider[],
  messages: readonly ChatMessage[],
): Observable<readonly Tool[]> {
  const { invocation, settings } = run;
  if (providers.length === 0) return of([]);
  const asked = providers.map((provider) =>
    userCode(
      run,
      fromValue(() => provider.provideTools({ userMessage: invocation.userMessage, messages, invocation })),
    ),
  );
  const checked = (tools: unknown, place: number) =>
    checkedOffer(`what toolProviders[${settings.toolProviders!.indexOf(providers[place]!)}] returned`, tools);
  return forkJoin(asked).pipe(map((offers) => offers.flatMap(checked)));
}

function checkedOffer(what: string, tools: unknown): readonly Tool[] {
  if (tools === null || tools === undefined) return [];
  checkTools('aiService', what, tools);
  return tools;
}
