import type { Client, ElicitResult } from '@modelcontextprotocol/client';
import { Observable, catchError, firstValueFrom, fromEvent, map, merge, of, take, takeUntil } from 'rxjs';
import { invalidOption } from '../chat/option-checks.ts';
import { fromValue, type Value } from '../chat/value.ts';
import { quietly } from '../tool/quietly.ts';
import type { Logger, ToolContext } from '../tool/types.ts';

/** What a server wants to know of the user: the fields of a form (a JSON Schema of plain values), or that the user visits a page. */
export type McpElicitation =
  | { readonly mode: 'form'; readonly message: string; readonly requestedSchema: Readonly<Record<string, unknown>> }
  | { readonly mode: 'url'; readonly message: string; readonly url: string; readonly elicitationId?: string };

/** `decline` says no, `cancel` that the user has not decided. Of a page no content is told. */
export type McpElicitationAnswer =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, string | number | boolean | readonly string[]>> }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

export interface McpElicitationContext {
  /** The name of the server: tell the user who asks. */
  readonly server: string;
  /** The calls of this client that run: it is one of them that asks. Servers do not say which. */
  readonly calls: readonly ToolContext[];
}

/** The first value is the answer; an Observable is unsubscribed from when nobody waits for it any more. */
export type Elicit = (request: McpElicitation, context: McpElicitationContext) => Value<McpElicitationAnswer>;

export interface ElicitationScope {
  readonly elicit: Elicit;
  readonly context: () => McpElicitationContext;
  /** Emits when none of these calls runs any more. */
  readonly abandoned: (calls: readonly ToolContext[]) => Observable<unknown>;
  readonly logger: Logger;
  /** Told when a person is asked for these calls; what is returned is called when not any more. */
  readonly asking: (calls: readonly ToolContext[]) => () => void;
}

/** An Observable may have nothing to say: then the user has not decided. */
function checkedAnswer(answer: McpElicitationAnswer | undefined): McpElicitationAnswer {
  const { action } = answer ?? cancelled;
  if (['accept', 'decline', 'cancel'].includes(action)) return answer ?? cancelled;
  throw invalidOption('elicit', 'action', action, 'it must be accept, decline or cancel');
}

const cancelled: McpElicitationAnswer = { action: 'cancel' };

/** Has the requests of a server answered: those of 2025, and `input_required` of 2026-07-28, which the SDK hands to the same handler. */
export function answerElicitations(client: Client, scope: ElicitationScope): void {
  client.setRequestHandler('elicitation/create', (request, { mcpReq }) => {
    const { context, elicit, abandoned, asking, logger } = scope;
    const { server, calls } = context();
    if (calls.length === 0) {
      // Whoever asks of himself could ask for ever, and have later calls wait with him.
      quietly(() =>
        logger.warn(`mcp server ${server}: it asks the user while no call runs, and is told that nobody has decided.`),
      );
      return { action: 'cancel' };
    }
    const ended$ = merge(mcpReq.signal.aborted ? of(undefined) : fromEvent(mcpReq.signal, 'abort'), abandoned(calls));
    const answer$ = fromValue(() => elicit({ mode: 'form', ...request.params }, { server, calls })).pipe(
      map(checkedAnswer),
      // What is wrong with the application is no business of a foreign server.
      catchError((error: unknown) => {
        quietly(() =>
          logger.warn(`mcp server ${server}: elicit failed; the server is told that the user has not decided.`, error),
        );
        return of(cancelled);
      }),
      take(1),
      takeUntil(ended$),
    );
    return firstValueFrom(
      new Observable<ElicitResult>((subscriber) => {
        subscriber.add(asking(calls));
        return (answer$ as Observable<ElicitResult>).subscribe(subscriber);
      }),
      // Nobody waits any more.
      { defaultValue: cancelled as ElicitResult },
    );
  });
}
