import {
  Subject,
  asyncScheduler,
  defer,
  filter,
  map,
  startWith,
  tap,
  throttleTime,
  type MonoTypeOperatorFunction,
  type Observable,
} from 'rxjs';
import type { AiServiceEvent } from '../event/ai-service-event.ts';
import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';
import { invocationWatch } from './recorder/invocation-watch.ts';
import { checkedOptions, type RecordTimelineOptions } from './recorder/options.ts';
import type { Timeline } from './timeline.ts';

export interface TimelineRecorder {
  /**
   * Passes everything on as it is, and writes it down. For `service.stream(…)`, and for the `events$` of a started invocation.
   * To unsubscribe counts as a cancel, unless `watchEvents()` knows better. A failed invocation that goes on with another subscription, as with `retry()` behind it, is
   * recorded to its end; any other subscription is left alone.
   */
  watch(): MonoTypeOperatorFunction<AiServiceStreamingEvent>;
  /**
   * The same for `service.events$`, which tells less: not when a tool ran, but that it did. Beside `watch()` it adds when the
   * requests went out, and what was undone after a cancel.
   */
  watchEvents(): MonoTypeOperatorFunction<AiServiceEvent>;
  /** What there is by now, also while it runs. Nothing changes it later. */
  timeline(): Timeline;
  /**
   * Emits the timeline when something has happened, first at once and then every `every` ms at most. It does not complete, since
   * undoing and retries may follow an end: `takeWhile(({ status }) => status === 'running', true)` does.
   *
   *     events      -t-t-t-t-------f|     every: 4 frames; drawn as how many texts there are
   *     timeline$   0---2---4------f
   */
  readonly timeline$: Observable<Timeline>;
}

/**
 * Writes down when what happened in one invocation. Looks on and changes nothing.
 *
 * Throws a `ConfigurationError` when the options can't work.
 *
 * @example
 * const recorder = recordTimeline();
 * assistant.stream('What is the weather?').pipe(recorder.watch()).subscribe({
 *   complete: () => console.log(renderAscii(recorder.timeline())),
 * });
 */
export function recordTimeline(options: RecordTimelineOptions = {}): TimelineRecorder {
  const known = ['scheduler', 'maxText', 'invocationId', 'every'] as const;
  const { scheduler = asyncScheduler, maxText, invocationId, every = 100 } = checkedOptions('recordTimeline', options, known);
  const changes = new Subject<void>();
  const recording = invocationWatch({ now: () => scheduler.now(), maxText, invocationId, onChange: () => changes.next() });
  return {
    watch: () => (source) =>
      defer(() => {
        const watching = recording.claim();
        return watching ? source.pipe(tap(watching)) : source;
      }),
    watchEvents: () => tap(recording.hearing),
    timeline: recording.timeline,
    timeline$: changes.pipe(
      startWith(undefined),
      filter(recording.hasBegun),
      throttleTime(every, scheduler, { leading: true, trailing: true }),
      map(recording.timeline),
    ),
  };
}
