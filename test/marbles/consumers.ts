import { identity } from 'rxjs';
import type { AiService } from '../../src/service/ai-service.ts';
import type { Invocation } from '../../src/service/start-invocation.ts';
import { eventSymbol } from '../../src/testing/event-symbol.ts';
import type { Recording } from '../../src/testing/recording.ts';
import type { MarbleKit } from '../../src/testing/run-marbles.ts';
import type { TimelineRecorder } from '../../src/timeline/record-timeline.ts';
import type { Lane } from './read-diagram.ts';
import type { Spec, UserAction } from './spec.ts';
import { tokenStreamEvents } from './token-stream-events.ts';

/** A lane on which something is expected, and what came there. */
export interface Consumer {
  readonly label: string;
  readonly recording: Recording<unknown>;
}

type View = 'events' | 'text' | 'result' | 'partial';

const lastWord = /(?:^| )(events|text|result|partial)$/;

const viewOf = (label: string): View | undefined => lastWord.exec(label)?.[1] as View | undefined;

export const isConsumer = (label: string): boolean => viewOf(label) !== undefined;

/** Calls the service as the spec says, and records what is told. */
export function consumersOf(
  spec: Spec,
  lanes: readonly Lane[],
  service: AiService<unknown>,
  kit: MarbleKit,
  timeline?: TimelineRecorder,
): readonly Consumer[] {
  const { call = 'stream', input = 'hello', pipe = identity } = spec;
  const started = call === 'start' ? service.start(input) : undefined;
  const watch = timeline?.watch() ?? identity;
  // A picture has all of it, whoever listens and leaves.
  if (started && timeline) started.events$.pipe(watch).subscribe({ error: () => undefined });
  const record = (view: View, subscription?: string): Recording<unknown> => {
    switch (view) {
      case 'events': {
        if (call === 'tokenStream') return kit.expectEvents(tokenStreamEvents(service.tokenStream(input)), subscription);
        const events$ = started?.events$ ?? service.stream(input).pipe(watch);
        return kit.expectEvents(events$.pipe(pipe), subscription);
      }
      case 'text':
        return kit.record(started?.text$ ?? service.text(input), textSymbol, subscription);
      case 'result':
        return kit.record(started?.result$ ?? service.result(input), () => '$', subscription);
      case 'partial':
        return kit.record(service.partial(input), () => 'p', subscription);
    }
  };
  doActions(spec, lanes, kit, started);
  return lanes.flatMap(({ label, subscription }) => {
    const view = viewOf(label);
    return view ? [{ label, recording: record(view, subscription) }] : [];
  });
}

/** A text is drawn as its event is. */
function textSymbol(text: string): string {
  return eventSymbol({ type: 'partialResponse', text } as Parameters<typeof eventSymbol>[0]);
}

function doActions({ user = {} }: Spec, lanes: readonly Lane[], { at }: MarbleKit, invocation?: Invocation<unknown>): void {
  const marks = lanes.find(({ label }) => label === 'user')?.runs.flatMap((run) => run.marks) ?? [];
  for (const { frame, symbol } of marks) {
    const action = user[symbol];
    if (!action || !invocation) throw new Error(`What ${symbol} of the user does is not told, or nothing was started.`);
    at(frame, () => act(action, invocation));
  }
}

function act(action: UserAction, invocation: Invocation<unknown>): void {
  if ('cancel' in action) return invocation.cancel(action.cancel);
  if ('cancelToolCall' in action) return void invocation.cancelToolCall(action.cancelToolCall);
  if ('approve' in action) return void invocation.decideToolCall(action.approve, true);
  invocation.decideToolCall(action.deny, { approved: false, reason: action.reason });
}
