import type { Observable } from 'rxjs';
import { asyncScheduler, concat, concatMap, defer, delay, from, ignoreElements, of, timer, type Subscription } from 'rxjs';
import { ChatModelError } from '../../src/chat/chat-model-error.ts';
import type { ChatModel, ChatModelEvent } from '../../src/chat/chat-model.ts';
import type { ToolExecutionRequest } from '../../src/chat/message.ts';
import type { AiService } from '../../src/service/ai-service.ts';
import { toolScheduler } from '../../src/testing/tool-scheduler.ts';
import { recordTimeline, type TimelineRecorder } from '../../src/timeline/record-timeline.ts';
import type { RecordTimelineOptions } from '../../src/timeline/recorder/options.ts';
import type { Timeline } from '../../src/timeline/timeline.ts';
import { tool } from '../../src/tool/tool.ts';
import type { Tool, ToolContext } from '../../src/tool/types.ts';

/** One thing that a model says, so many ms after the one before it. */
type Step = readonly [after: number, event: ChatModelEvent | Error];

/** A text word by word. */
export const words = (
  text: string,
  pace = 40,
  type: 'partialResponse' | 'partialThinking' = 'partialResponse',
): readonly Step[] => text.split(/(?<= )/).map((word) => [pace, { type, text: word }]);

export const thoughts = (text: string, pace = 40) => words(text, pace, 'partialThinking');

/** A call whose arguments come in pieces. */
export function call(index: number, name: string, args: unknown = {}, pace = 25): readonly Step[] {
  const written = JSON.stringify(args);
  const id = `call-${index}-${name}`;
  const pieces = written.match(/.{1,6}/g) ?? [];
  return [
    ...pieces.map((partialArguments): Step => [pace, { type: 'partialToolCall', index, id, name, partialArguments }]),
    [0, { type: 'completeToolCall', index, request: { id, name, arguments: written } }],
  ];
}

export const retryIn = (ms: number): readonly Step[] => [
  [120, { type: 'retry', attempt: 1, delay: ms, error: new Error('429 Too many requests') }],
  [ms, { type: 'raw', event: 'the request goes out again' }],
];

export const breaks = (message = 'The connection was lost.'): readonly Step[] => [
  [30, new ChatModelError(message, { kind: 'interrupted', provider: 'paced', retryable: true })],
];

/** A model that answers at its own pace, one list of steps a request. */
export function pacedModel(rounds: readonly (readonly Step[])[], firstToken = 300): ChatModel {
  let asked = 0;
  return {
    provider: 'paced',
    chat: () =>
      defer(() => {
        const steps = rounds[asked++] ?? [];
        const told = concat(...steps.map(([after, event], place) => said(place === 0 ? after + firstToken : after, event)));
        return concat(told, of(responseOf(steps)));
      }),
  };
}

function said(after: number, event: ChatModelEvent | Error): Observable<ChatModelEvent> {
  const spoken = defer(() => {
    if (event instanceof Error) throw event;
    return of(event);
  });
  return after > 0 ? concat(timer(after).pipe(ignoreElements()), spoken) : spoken;
}

function responseOf(steps: readonly Step[]): ChatModelEvent {
  const requests: ToolExecutionRequest[] = [];
  let text = '';
  for (const [, event] of steps) {
    if ('type' in event && event.type === 'completeToolCall') requests.push(event.request);
    if ('type' in event && event.type === 'partialResponse') text += event.text;
  }
  const finishReason = requests.length > 0 ? 'toolExecution' : 'stop';
  return {
    type: 'completeResponse',
    response: { aiMessage: { role: 'assistant', text: text || null, toolExecutionRequests: requests }, finishReason },
  };
}

/** A tool that takes its time, and says how far it is. */
export function slowTool(
  name: string,
  ms: number,
  { steps = 0, fails, ...traits }: { steps?: number; fails?: string } & Partial<Tool> = {},
): Tool {
  const execute = (_: unknown, context: ToolContext) =>
    concat(
      from(Array.from({ length: steps }, (_unused, place) => `${place + 1} of ${steps}`)).pipe(
        concatMap((step) =>
          of(step).pipe(
            delay(ms / (steps + 1)),
            concatMap((value) => {
              context.progress(value);
              return [];
            }),
          ),
        ),
      ),
      timer(ms / (steps + 1)).pipe(
        concatMap(() => {
          if (fails) throw new Error(fails);
          return of(`${name} is done`);
        }),
      ),
    );
  return { ...tool({ name, execute }), ...traits };
}

interface Played {
  readonly timeline: Timeline;
  readonly recorder: TimelineRecorder;
}

/** Runs an invocation on virtual time, to its end or to the moment in which it is left. */
export function played(
  service: (kit: { at: (ms: number, action: () => void) => void }) => AiService,
  { leaveAt, watchEvents = false, ...options }: { leaveAt?: number; watchEvents?: boolean } & RecordTimelineOptions = {},
): Played {
  const recorder = recordTimeline(options);
  const scheduler = toolScheduler();
  scheduler.run(({ flush }) => {
    const at = (ms: number, action: () => void) => void asyncScheduler.schedule(action, ms);
    const asked = service({ at });
    if (watchEvents) asked.events$.pipe(recorder.watchEvents()).subscribe();
    let running: Subscription | undefined;
    at(0, () => {
      running = asked
        .stream('hello')
        .pipe(recorder.watch())
        .subscribe({ error: () => undefined });
    });
    if (leaveAt !== undefined) at(leaveAt, () => running?.unsubscribe());
    flush();
  });
  return { timeline: recorder.timeline(), recorder };
}
