import { defer, type Observable } from 'rxjs';
import { toObservable, type Value } from '../../src/chat/value.ts';
import { AiServiceEvent } from '../../src/event/ai-service-event.ts';
import { ToolCompensatedEvent } from '../../src/event/tool-compensated-event.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { marbleSource } from '../../src/testing/marbles.ts';
import { scriptedTool, type ScriptedTool, type ScriptedToolOptions } from '../../src/testing/scripted-tool.ts';
import { drawSpan, logged, type SubscriptionSpan } from '../../src/testing/subscription-log.ts';
import { toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import type { ToolContext, ToolExecution } from '../../src/tool/types.ts';
import { play, type Played, type Script } from './support.ts';

/** One time that something was undone. */
interface Undo {
  readonly name: string;
  readonly execution: ToolExecution;
  readonly context: ToolContext;
  /** When it ran: one span. */
  readonly spans: readonly SubscriptionSpan[];
}

export interface UndoableOptions extends ScriptedToolOptions {
  /** A diagram of the undoing, in which `#` fails it, or what is done instead; by default it is done at once. */
  readonly undo?: string | ((execution: ToolExecution, context: ToolContext) => Value<unknown>);
}

export interface UndoLog {
  readonly undos: readonly Undo[];
  /** The tools in the order in which they were undone. */
  names(): readonly string[];
  /** The same with the time that it took, as in `b ---^-!`. */
  spans(): readonly string[];
  /** A tool that runs along a diagram and can be undone. */
  undoable(name: string, marbles: string, options?: UndoableOptions): ScriptedTool;
}

/** Makes tools that write down how they were undone. */
export function undoLog(): UndoLog {
  const undos: Undo[] = [];
  return {
    undos,
    names: () => undos.map(({ name }) => name),
    spans: () => undos.map(({ name, spans }) => `${name} ${spans.map(drawSpan).join(' ')}`),
    undoable: (name, marbles, { undo = '|', ...options } = {}) => ({
      ...scriptedTool(name, marbles, options),
      compensate(execution, context) {
        const spans: SubscriptionSpan[] = [];
        undos.push({ name, execution, context, spans });
        return logged(typeof undo === 'string' ? along(undo, name) : defer(() => toObservable(undo(execution, context))), spans);
      },
    }),
  };
}

function along(marbles: string, name: string): Observable<unknown> {
  return marbleSource<unknown>(marbles, (symbol) =>
    symbol === '#' ? { error: new Error(`${name} stays done`) } : { value: symbol },
  );
}

/** Plays an invocation that undoes, and whose model is told of failing tools. */
export const playUndoing = (script: Script): Played =>
  play({
    compensateOnToolErrors: true,
    toolExecutionErrorHandler: toolExecutionErrorHandler.sendExceptionMessageToLlm(),
    ...script,
  });

/** What memory and model are told of a call that was undone, in the way of `outline`. */
export const rolledBack = (id: string, why: string): string =>
  `${id}! ${id.charAt(0).toLowerCase()} had succeeded, but it was rolled back because ${why}.`;

/** The same of one that could not be undone. */
export const stillStands = (id: string, why: string): string =>
  `${id}! ${id.charAt(0).toLowerCase()} had succeeded. It was to be rolled back because ${why}, but that failed: what it did may still stand.`;

type AnyEvent = AiServiceEvent | AiServiceStreamingEvent;

/** What an event tells of an undo. */
type ToldUndo = Pick<ToolCompensatedEvent, 'execution' | 'reason'> & { readonly error?: Error | undefined };

/** The events that tell of an undo. */
export const undosIn = (events: readonly AnyEvent[]): readonly ToldUndo[] =>
  events.flatMap((event): readonly ToldUndo[] => {
    if (event instanceof AiServiceEvent) return event instanceof ToolCompensatedEvent ? [event] : [];
    return event.type === 'toolCompensated' ? [event] : [];
  });

/** What they tell, in short: `b: toolError`, with the error where it failed. */
export const toldUndone = (events: readonly AnyEvent[]): readonly string[] =>
  undosIn(events).map(
    ({ execution, reason, error }) => `${execution.request.name}: ${reason}${error ? ` (${error.message})` : ''}`,
  );

/** The events that end an invocation. */
export const endsOf = (types: readonly string[]): readonly string[] =>
  types.filter((type) => ['completed', 'cancelled', 'error'].includes(type));
