import type { Subscriber } from 'rxjs';
import type { ToolExecutionRequest } from '../chat/message.ts';
import type { Call } from './call.ts';
import { executeCall } from './execute-call.ts';
import { resolveTool } from './resolve-tool.ts';
import type { Run } from './run.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { subscribeEarly } from '../chat/subscribe-early.ts';

/** The calls of one round, from the first word of the model to the last result. */
export interface RoundCalls {
  /** The id of the call at this place of the turn, unique in the history, whatever the provider gave it. */
  idAt(index: number, providerId: string): string;
  /** A call is complete: tell, and run it as soon as the concurrency allows. */
  complete(index: number, request: ToolExecutionRequest): void;
  has(index: number): boolean;
  /** In request order. */
  list(): readonly Call[];
  /** Whether nothing runs and nothing will. */
  isIdle(): boolean;
  /** Starts no further call. */
  close(): void;
}

export function roundCalls(run: Run, subscriber: Subscriber<AiServiceStreamingEvent>, onIdle: () => void): RoundCalls {
  const { round } = run.gathered;
  const calls = new Map<number, Call>();
  const ids = new Map<number, string>();
  const takenIds = new Set<string>();
  const waiting: Call[] = [];
  let running = 0;
  let isClosed = false;
  let isStarting = false;

  const startWaiting = () => {
    // A synchronous tool ends while it is being started: the loop takes the next, not a deeper call.
    if (isStarting) return;
    isStarting = true;
    while (!isClosed && running < run.policy.toolConcurrency && waiting.length > 0 && !subscriber.closed) start(waiting.shift()!);
    isStarting = false;
  };
  const start = (call: Call) => {
    running++;
    const complete = () => {
      running--;
      if (call.failure) isClosed = true;
      startWaiting();
      onIdle();
    };
    subscribeEarly(executeCall(run, round, call), { next: (event) => subscriber.next(event), complete }, (subscription) =>
      subscriber.add(subscription),
    );
  };
  const isTaken = (id: string) => takenIds.has(id) || run.conversation.callIds().has(id);

  const idAt = (index: number, providerId: string): string => {
    const known = ids.get(index);
    if (known !== undefined) return known;
    let id = providerId;
    // A generator may be a constant in somebody's test: the attempt makes its ids differ.
    for (let attempt = 1; !id || isTaken(id); attempt++) id = run.settings.idGenerator() + (attempt > 1 ? `-${attempt}` : '');
    takenIds.add(id);
    ids.set(index, id);
    return id;
  };

  return {
    idAt,
    has: (index) => calls.has(index),
    complete(index, { id, name, arguments: text = '' }) {
      const { tool, name: knownName } = resolveTool(run.settings.toolsByName, name);
      const request: ToolExecutionRequest = { id: idAt(index, id), name: knownName, arguments: text };
      const call: Call = {
        request,
        requestedName: knownName === name ? undefined : name,
        tool,
        hasStarted: false,
        execution: undefined,
        failure: undefined,
      };
      calls.set(index, call);
      subscriber.next({
        type: 'completeToolCall',
        index,
        request: knownName === name ? request : { ...request, name },
        invocation: run.invocation,
        round,
      });
      waiting.push(call);
      startWaiting();
    },
    list: () => [...calls].sort(([one], [other]) => one - other).map(([, call]) => call),
    isIdle: () => running === 0 && (isClosed || waiting.length === 0),
    close: () => {
      isClosed = true;
    },
  };
}
