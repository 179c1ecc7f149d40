import { asyncScheduler, defer, of, type Observable, type SchedulerLike } from 'rxjs';
import {
  checkCount,
  checkDuration,
  checkFunction,
  checkKnownOptions,
  checkMethods,
  invalidOption,
} from '../chat/option-checks.ts';
import type { AiService } from '../service/ai-service.ts';
import type { Invocation } from '../service/start-invocation.ts';
import { messageOf } from '../tool/tool-errors.ts';
import type { AgUiEvent } from './ag-ui-event.ts';
import { approvalInterrupt } from './approval-interrupt.ts';
import { fromAgUiInput, type AgUiInput } from './from-ag-ui-input.ts';
import { liveRun } from './live-run.ts';
import { resumePlan } from './resume-plan.ts';
import { waitingRuns } from './waiting-runs.ts';

export interface AgUiRunsOptions {
  /** How many invocations may wait for a person; beyond that the oldest is cancelled. 100 by default. */
  readonly maxWaiting?: number | undefined;
  /** How long one may wait before it is cancelled, in ms: 600,000 by default. */
  readonly waitingTime?: number | undefined;
  /**
   * Starts the invocation for a question. By default `service.start(input, { memoryId: threadId, parameters })`. What the client sends is
   * not proven: check here whether this user may use this thread.
   */
  readonly start?: ((input: AgUiInput) => Invocation<unknown>) | undefined;
  /** What the client is told of an error: its message by default. */
  readonly errorMessage?: ((error: Error) => string) | undefined;
  /** For the waiting. */
  readonly scheduler?: SchedulerLike | undefined;
}

export interface AgUiRuns {
  /**
   * Runs the agent for what a client has sent, the parsed JSON of a `RunAgentInput`. Cold, and never errors: what can't be run is a
   * RUN_ERROR. To unsubscribe cancels the invocation.
   *
   *     run(question)   r--C--(i|)          i: RUN_FINISHED with an interrupt
   *     run(resume)                r-R--Z-(f|)
   */
  run(input: unknown): Observable<AgUiEvent>;
  /** Cancels what waits for a person, as for the end of the server. */
  close(): void;
}

const known: readonly (keyof AgUiRunsOptions)[] = ['maxWaiting', 'waitingTime', 'start', 'errorMessage', 'scheduler'];

/**
 * Makes a service the agent behind an AG-UI endpoint. A run whose tools wait for an approval ends with an interrupt, and the invocation
 * waits in this process for the run that answers it.
 *
 * Throws a `ConfigurationError` on options that can't work.
 *
 * @example
 * const runs = agUiRuns(assistant);
 * app.post('/agent', async (request) => toSseResponse(runs.run(await request.json())));
 */
export function agUiRuns<T>(service: AiService<T>, options: AgUiRunsOptions = {}): AgUiRuns {
  if ((service as unknown) === undefined) throw invalidOption('agUiRuns', 'service', service, 'it must have the methods start');
  checkMethods('agUiRuns', 'service', service, ['start']);
  checkKnownOptions('agUiRuns', options, known);
  checkCount('agUiRuns', 'maxWaiting', options.maxWaiting, 1);
  checkDuration('agUiRuns', 'waitingTime', options.waitingTime);
  checkFunction('agUiRuns', 'start', options.start);
  checkFunction('agUiRuns', 'errorMessage', options.errorMessage);
  const {
    maxWaiting = 100,
    waitingTime = 600_000,
    scheduler = asyncScheduler,
    errorMessage = ({ message }) => message,
  } = options;
  const {
    start = ({ input, threadId: memoryId, parameters }: AgUiInput): Invocation<unknown> =>
      service.start(input!, { memoryId, parameters }),
  } = options;
  const waiting = waitingRuns(maxWaiting, waitingTime, scheduler);
  const expiresAt = () => {
    const at = new Date(scheduler.now() + waitingTime);
    // Too far away for a date.
    return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
  };
  const interrupt = approvalInterrupt(expiresAt);

  const ask = (input: AgUiInput): Observable<AgUiEvent> => {
    const { threadId } = input;
    const live = liveRun({
      interrupt,
      errorMessage,
      onInterrupted: (interrupted) => waiting.add(threadId, interrupted),
      onEnded: waiting.remove,
    });
    return live.run(idsOf(input), input.agUiMessages, () => live.begin(() => start(input)));
  };
  const answer = (input: AgUiInput): Observable<AgUiEvent> => {
    const plan = resumePlan(input, waiting.ofThread(input.threadId));
    switch (plan.type) {
      case 'ask':
        if (plan.abandoned) {
          waiting.remove(plan.abandoned);
          plan.abandoned.cancel('The user has gone on with another question.');
        }
        return ask(input);
      case 'resume':
        waiting.remove(plan.live);
        return plan.live.run(idsOf(input), input.agUiMessages, () => plan.live.decide(plan.decisions));
      case 'nothing':
        return of<AgUiEvent[]>(started(input), { type: 'RUN_FINISHED', ...idsOf(input), outcome: { type: 'cancelled' } });
      case 'refuse':
        return of<AgUiEvent[]>(started(input), { type: 'RUN_ERROR', message: plan.message, code: plan.code });
    }
  };
  return {
    run: (json) =>
      defer(() => {
        let input: AgUiInput;
        try {
          input = fromAgUiInput(json);
        } catch (error) {
          return of<AgUiEvent>({ type: 'RUN_ERROR', message: messageOf(error), code: 'invalidInput' });
        }
        return answer(input);
      }),
    close: waiting.clear,
  };
}

const idsOf = ({ threadId, runId }: AgUiInput) => ({ threadId, runId });

const started = (input: AgUiInput): AgUiEvent => ({ type: 'RUN_STARTED', ...idsOf(input), protocolVersion: '1.0' });
