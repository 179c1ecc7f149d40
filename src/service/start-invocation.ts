import type { Observable } from 'rxjs';
import type { Service } from './begin-run.ts';
import { invocation } from './invocation.ts';
import type { ModeDefaults } from './modes.ts';
import type { Input, InvocationOptions } from './options.ts';
import { replayMerged } from './replay-merged.ts';
import type { Result } from './result.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { resultView, textView } from './views.ts';

/** An invocation that runs, whoever watches. Late subscribers are told everything, neighbouring partials in one piece. */
export interface Invocation<T> {
  readonly id: string;
  readonly events$: Observable<AiServiceStreamingEvent>;
  readonly text$: Observable<string>;
  readonly result$: Observable<Result<T>>;
  /** Ends the invocation with an `InvocationCancelledError`; nothing after it has ended. */
  cancel(reason?: unknown): void;
}

export function startInvocation(
  service: Service,
  defaults: ModeDefaults,
  input: Input,
  options: InvocationOptions,
): Invocation<string> {
  const id = service.settings.idGenerator();
  const controller = new AbortController();
  const replay = replayMerged();
  // A failure that nobody watches is told by the service's events; it is no unhandled error.
  invocation(service, defaults, input, options, { id, cancellation: controller.signal }).subscribe(replay);
  const { events$ } = replay;
  return { id, events$, text$: textView(events$), result$: resultView(events$), cancel: (reason) => controller.abort(reason) };
}
