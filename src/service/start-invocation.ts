import { tap, type Observable } from 'rxjs';
import { ConfigurationError } from '../chat/configuration-error.ts';
import { quietly } from '../tool/quietly.ts';
import type { Service } from './begin-run.ts';
import type { CallHandle } from './controls.ts';
import { invocation } from './invocation.ts';
import type { ModeDefaults } from './modes.ts';
import type { ApprovalDecision, Input, InvocationOptions } from './options.ts';
import { replayMerged } from './replay-merged.ts';
import { requestBehind } from './request-behind.ts';
import type { Result } from './result.ts';
import type { Run } from './run.ts';
import { InvocationCancelledError } from './service-errors.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { isTextWhole } from './settings.ts';
import { resultView, textView } from './views.ts';

/** An invocation that runs, whoever watches. Late subscribers are told everything, neighbouring partials in one piece. */
export interface Invocation<T = string> {
  readonly id: string;
  readonly events$: Observable<AiServiceStreamingEvent>;
  readonly text$: Observable<string>;
  readonly result$: Observable<Result<T>>;
  /** Ends the invocation with an `InvocationCancelledError`; nothing after it has ended. */
  cancel(reason?: unknown): void;
  /** Ends one call, whose id is that of its `request`; the model is told. Whether it took effect: not once the call has ended. */
  cancelToolCall(id: string): boolean;
  /** Answers a `toolApprovalRequested`. Whether it took effect: not when nobody asks, or has got an answer already. */
  decideToolCall(id: string, decision: ApprovalDecision): boolean;
  /**
   * Goes on with an invocation that has failed, behind its last committed round, as another subscription to `stream(…)` does; what
   * is returned tells what follows. Throws a `ConfigurationError` unless it has failed: also after a cancel, and the second time.
   */
  resume(): Invocation<T>;
}

/** ms in which one may still subscribe to an invocation that has failed at once. */
const graceTime = 1;

export function startInvocation<T>(
  service: Service,
  defaults: ModeDefaults,
  input: Input,
  options: InvocationOptions,
): Invocation<T> {
  const { idGenerator, logger, scheduler } = service.settings;
  const id = idGenerator();
  const calls = new Map<string, CallHandle>();
  let controller = new AbortController();
  /** The last round whose text somebody was shown who can't be told to drop it. */
  let shownRound = 0;
  const noted = tap<AiServiceStreamingEvent>((event) => {
    // One who comes late is shown earlier rounds, too.
    if (event.type === 'partialResponse') shownRound = Math.max(shownRound, event.round);
  });
  let run: Run | undefined;
  const invoked = invocation(service, defaults, input, options, {
    id,
    calls,
    onRun: (begun) => (run = begun),
    mayRetract: (round) => round !== shownRound,
    cancellation: () => controller.signal,
  });

  const begin = (): Invocation<T> => {
    const current = new AbortController();
    controller = current;
    const replay = replayMerged();
    const { events$ } = replay;
    let mayResume = false;
    const noteFailure = tap<AiServiceStreamingEvent>({
      error: (error: unknown) => {
        mayResume = !(error instanceof InvocationCancelledError);
        if (mayResume && !service.hub.isWatched()) scheduler.schedule(() => logUnheard(error), graceTime);
      },
    });
    const logUnheard = (error: unknown) => {
      if (replay.isFailureTold() || !mayResume) return;
      const tool = run && requestBehind(run, error)?.name;
      quietly(() => logger.error(`Invocation ${id} failed${tool ? ` in tool ${tool}` : ''}, and nobody watched it.`, error));
    };
    // A failure that nobody watches is told by the service's events, or else by the log; it is no unhandled error.
    invoked.pipe(noteFailure).subscribe(replay);
    return {
      id,
      events$,
      text$: isTextWhole(service.settings) ? textView(events$, true) : textView(events$.pipe(noted), false),
      result$: resultView<T>(events$),
      cancel: (reason) => current.abort(reason),
      cancelToolCall: (call) => calls.get(call)?.cancel() ?? false,
      decideToolCall: (call, decision) => calls.get(call)?.decide(decision) ?? false,
      resume() {
        if (!mayResume) throw new ConfigurationError('resume: only an invocation that has failed goes on, and only once.');
        mayResume = false;
        return begin();
      },
    };
  };
  return begin();
}
