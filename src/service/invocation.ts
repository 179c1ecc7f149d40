import { Observable, defer, of, tap } from 'rxjs';
import { ConfigurationError } from '../chat/configuration-error.ts';
import { inTurn } from '../memory/in-turn.ts';
import { asError } from '../tool/tool-errors.ts';
import { beginRun, contextOf, invocationContext, type Service } from './begin-run.ts';
import { cancellable } from './cancellable.ts';
import { undoneOnFailure } from './compensation.ts';
import type { Controls } from './controls.ts';
import { epilogue, gatheredResult } from './epilogue.ts';
import { inSequence } from './in-sequence.ts';
import { judgement } from './judgement.ts';
import { lifecycle, type Lifecycle } from './lifecycle.ts';
import type { ModeDefaults } from './modes.ts';
import type { Input, InvocationOptions } from './options.ts';
import { prologue } from './prologue.ts';
import { requestBehind } from './request-behind.ts';
import { round } from './round.ts';
import type { Run } from './run.ts';
import { InvocationCancelledError } from './service-errors.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { withinDuration } from './within-duration.ts';

/**
 * One call of a service as a cold Observable, in every mode.
 *
 * A subscription that follows an error goes on with the invocation that failed, behind its last committed round. One
 * that follows an unsubscribe begins a new invocation.
 */
export function invocation(
  service: Service,
  defaults: ModeDefaults,
  input: Input,
  options: InvocationOptions,
  controls: Controls = {},
): Observable<AiServiceStreamingEvent> {
  const failures: { readonly run: Run; readonly error: unknown }[] = [];
  let state: 'idle' | 'alive' | 'completed' = 'idle';

  return defer(() => {
    const failure = failures.shift();
    const resumed = failure?.run;
    const context =
      resumed?.invocation ?? invocationContext(service, input, options, controls.id ?? service.settings.idGenerator());
    const life = lifecycle(service.hub, context, resumed !== undefined);
    let run = resumed;

    const observed = life.observed(
      defer(() => {
        run = resumed
          ? { ...resumed, ...contextOf(service.settings, resumed.memory) }
          : beginRun(service, defaults, context, options, controls);
        controls.onRun?.(run);
        if (run.memory && state !== 'idle') throw subscribedTwice(state);
        state = 'alive';
        return running(run, life, failure?.error).pipe(
          tap({
            complete: () => (state = 'completed'),
            unsubscribe: () => (state = 'idle'),
            error: (error: unknown) => {
              state = 'idle';
              if (run) failures.push({ run, error });
            },
          }),
        );
      }),
      (error) => run && requestBehind(run, error),
    );
    const signals = [options.signal, controls.cancellation?.()].filter((signal) => signal !== undefined);
    if (signals.length === 0) return observed;
    return cancellable(observed, signals, (reason) => {
      if (!life.cancelled(reason)) return undefined;
      return () =>
        new InvocationCancelledError('The invocation was cancelled.', {
          cause: reason,
          ...(run && { partial: gatheredResult(run) }),
        });
    });
  });
}

function running(run: Run, life: Lifecycle, failure: unknown): Observable<AiServiceStreamingEvent> {
  const stages = inSequence(() => stagesOf(run, life, failure)).pipe(undoneOnFailure(run, life));
  // Subscribed to in the caller's context also where the turn is given by another invocation's end.
  const inContext = new Observable<AiServiceStreamingEvent>((subscriber) => {
    subscriber.add(run.clock?.start());
    run.inContext(() => stages.subscribe(subscriber));
  });
  return run.held ? inContext.pipe(inTurn(run.held, run.unstoppable.settled)) : inContext;
}

function* stagesOf(run: Run, life: Lifecycle, failure: unknown): Generator<Observable<AiServiceStreamingEvent>, void> {
  if (isBroken(run)) yield restarted(run, failure);
  yield prologue(run, life.started).pipe(withinDuration(run));
  while (!run.gathered.finalResponse) {
    yield round(run);
    // An answer that is refused is none, and the model is asked again.
    if (run.gathered.finalResponse) yield judgement(run).pipe(withinDuration(run));
  }
  yield epilogue(run, life.completed);
}

/** Whether what was told of the last round is neither the answer nor in the history: the model is asked for it again. */
function isBroken({ gathered }: Run): boolean {
  return gathered.isTold && !gathered.isKept && !gathered.finalResponse;
}

function restarted({ gathered, invocation }: Run, failure: unknown): Observable<AiServiceStreamingEvent> {
  return defer(() => {
    gathered.isTold = false;
    return of({ type: 'roundRestarted' as const, error: asError(failure), invocation, round: gathered.round });
  });
}

function subscribedTwice(state: string): ConfigurationError {
  const what = state === 'alive' ? 'is running already' : 'has completed';
  return new ConfigurationError(
    `This invocation ${what}, and with a chat memory it can't run twice: call the service again, or share this one with start() or share().`,
  );
}
