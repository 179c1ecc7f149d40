import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { toObservable, toSignal } from '@angular/core/rxjs-interop';
import { catchError, EMPTY, ignoreElements, merge, of, scan, switchMap, type Observable } from 'rxjs';
import type { Invocation } from 'toolstream';
import { recordTimeline, renderSvg, type Timeline, type TimelineRecorder } from 'toolstream/timeline';
import { Panel } from '../panel';

@Component({
  selector: 'timeline-panel',
  imports: [Panel],
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `
    <side-panel title="Timeline">
      @if (picture(); as picture) {
        <!-- As an image: nothing in it can run, whatever a model or a tool has written, and it keeps its styles to itself. -->
        <img [src]="picture.source" [alt]="picture.description" />
      } @else {
        <p>What runs at the same time, and what waits, is drawn here while it happens.</p>
      }
    </side-panel>
  `,
  styles: `
    img {
      display: block;
      width: calc(100% + 16px);
      margin: 0 -8px -8px;
      height: auto;
    }
    p {
      margin: 0;
      color: var(--ink-soft);
      font-size: 14px;
    }
  `,
})
export class TimelinePanel {
  readonly invocation = input<Invocation>();

  readonly #timeline = toSignal(
    toObservable(this.invocation).pipe(
      scan(recorded, undefined),
      switchMap((recorded) => (recorded ? timelineOf(recorded) : of(undefined))),
    ),
  );

  protected readonly picture = computed(() => {
    const timeline = this.#timeline();
    if (!timeline) return undefined;
    const svg = renderSvg(timeline, { title: 'This answer', width: 406 });
    return { source: `data:image/svg+xml,${encodeURIComponent(svg)}`, description: describe(timeline) };
  });
}

interface Recorded {
  readonly invocation: Invocation;
  readonly recorder: TimelineRecorder;
}

/** An invocation that goes on after a failure goes on in its drawing. */
function recorded(last: Recorded | undefined, invocation: Invocation | undefined): Recorded | undefined {
  if (!invocation) return undefined;
  return { invocation, recorder: last?.invocation.id === invocation.id ? last.recorder : recordTimeline() };
}

/** The timeline as it grows, and once more at the end. */
function timelineOf({ invocation: { events$ }, recorder }: Recorded): Observable<Timeline> {
  const watched = events$.pipe(
    recorder.watch(),
    ignoreElements(),
    // How it ends is in the timeline.
    catchError(() => EMPTY),
  );
  return merge(recorder.timeline$, watched);
}

function describe({ status, rounds, calls }: Timeline): string {
  const tools = calls.map(({ name, outcome }) => `${name} ${outcome}`).join(', ') || 'none';
  return `Timeline, ${status}. Rounds: ${rounds.length}. Tools: ${tools}.`;
}
