import {
  Subject,
  asyncScheduler,
  from,
  ignoreElements,
  map,
  merge,
  of,
  retry,
  take,
  tap,
  throwError,
  timer,
  toArray,
  type Observable,
} from 'rxjs';
import { describe, expect, it } from 'vitest';
import { aiService } from '../../src/service/ai-service.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { toolScheduler } from '../../src/testing/tool-scheduler.ts';
import { recordTimeline } from '../../src/timeline/record-timeline.ts';
import { tool } from '../../src/tool/tool.ts';
import { pacedModel, slowTool, call, words } from './paced.ts';

const userMessage = { role: 'user', contents: [] } as const;
const contextOf = (invocationId: string) => ({
  invocationId,
  userMessage,
  originalUserMessage: userMessage,
  parameters: new Map(),
  timestamp: 0,
});
const textEvent = (text: string, invocationId = '1'): AiServiceStreamingEvent => ({
  type: 'partialResponse',
  text,
  invocation: contextOf(invocationId),
  round: 1,
});

/** All that comes in the same moment. */
function told<T>(source: Observable<T>): readonly unknown[] {
  const seen: unknown[] = [];
  source.subscribe({
    next: (value) => seen.push(value),
    error: (error: unknown) => seen.push(error),
    complete: () => seen.push('|'),
  });
  return seen;
}

describe('watch', () => {
  it('passes on what comes as it is, to the end', () => {
    const events = [textEvent('a'), textEvent('b')];
    const seen = told(from(events).pipe(recordTimeline().watch()));
    expect(seen[0]).toBe(events[0]);
    expect(seen.slice(1)).toEqual([events[1], '|']);
    const error = new Error('broken');
    expect(told(throwError(() => error).pipe(recordTimeline().watch()))[0]).toBe(error);
  });

  it('changes nothing in the marbles of an invocation', () => {
    runMarbles(({ expectEvents, model, tool: scripted }) => {
      const service = aiService({ model: model(['-t-A|', '-z|']), tools: [scripted('a', '--r|')] });
      expectEvents(service.stream('hello').pipe(recordTimeline().watch())).toBe('-t-(A<a)%*a>az($|)');
    });
  });

  it('never breaks what it looks at, whatever an event carries', () => {
    const hostile = {
      ...textEvent('x'),
      type: 'toolProgress',
      get request(): never {
        throw new Error('no');
      },
    } as unknown as AiServiceStreamingEvent;
    const unknown = { ...textEvent('x'), type: 'toString' } as unknown as AiServiceStreamingEvent;
    const recorder = recordTimeline();
    expect(told(from([hostile, unknown, textEvent('b')]).pipe(recorder.watch()))).toEqual([
      hostile,
      unknown,
      expect.anything(),
      '|',
    ]);
    expect(recorder.timeline().rounds[0]!.segments[0]!.text).toBe('b');
  });

  it('takes an unsubscribe behind the final response for no cancel', () => {
    const recorder = recordTimeline();
    const service = aiService({ model: scriptedModel([['Done.']]) });
    service.stream('hello').pipe(recorder.watch(), take(2)).subscribe();
    expect(recorder.timeline().status).toBe('completed');
  });

  it('records the one invocation that it saw first, and leaves another subscription alone', () => {
    const recorder = recordTimeline();
    const stream = aiService({ model: scriptedModel([['one'], ['two']]) })
      .stream('hello')
      .pipe(recorder.watch());
    stream.subscribe();
    const first = recorder.timeline();
    stream.subscribe();
    expect(recorder.timeline()).toEqual(first);
    expect(first.rounds.flatMap(({ segments }) => segments.map(({ text }) => text))).toEqual(['one']);
  });

  it('leaves the events of others alone in a stream of many, and takes those of the one that was asked for', () => {
    const many = from([textEvent('a', '1'), textEvent('b', '2'), textEvent('c', '1')]);
    const texts = (invocationId?: string) => {
      const recorder = recordTimeline(invocationId === undefined ? {} : { invocationId });
      many.pipe(recorder.watch()).subscribe();
      return recorder.timeline().rounds[0]?.segments.map(({ text }) => text);
    };
    expect(texts()).toEqual(['ac']);
    expect(texts('2')).toEqual(['b']);
  });

  it('goes on when a failed invocation goes on, and tells of the failure between', () => {
    const recorder = recordTimeline();
    const model = scriptedModel([[{ call: 'a' }], { marbles: '#', error: new Error('cut') }, ['Done.']]);
    aiService({ model, tools: [tool({ name: 'a', execute: () => 1 })] })
      .stream('hello')
      .pipe(recorder.watch(), retry(1))
      .subscribe();
    const timeline = recorder.timeline();
    expect(timeline).toMatchObject({ status: 'completed', failures: [{ error: 'cut' }] });
    expect(timeline.error).toBeUndefined();
    expect(timeline.calls).toHaveLength(1);
  });

  it('tells of a call that was ended by hand, and of an invocation that was cancelled', () => {
    const recorder = recordTimeline();
    toolScheduler().run(({ flush }) => {
      const model = pacedModel([[...call(0, 'a', {}, 0), ...call(1, 'b', {}, 0)], words('Never.', 900)], 100);
      const started = aiService({ model, tools: [slowTool('a', 50), slowTool('b', 50)] }).start('hello');
      started.events$.pipe(recorder.watch()).subscribe({ error: () => undefined });
      asyncScheduler.schedule(() => started.cancelToolCall('call-1-b'), 120);
      asyncScheduler.schedule(() => started.cancel('enough'), 400);
      flush();
    });
    const { calls, status, end } = recorder.timeline();
    expect(calls.map((called) => [called.outcome, called.end])).toEqual([
      ['ok', 150],
      ['cancelled', 120],
    ]);
    expect([status, end]).toEqual(['cancelled', 400]);
  });

  it('takes the AbortError of somebody else for a failure', () => {
    const recorder = recordTimeline();
    const aborted = Object.assign(new Error('fetch was aborted'), { name: 'AbortError' });
    told(throwError(() => aborted).pipe(recorder.watch()));
    expect(recorder.timeline()).toMatchObject({ status: 'failed', error: 'fetch was aborted' });
  });

  it('never lets time go back when the clock does', () => {
    let now = 1000;
    const scheduler = { now: () => now, schedule: () => ({ closed: true, unsubscribe: () => undefined }) as never };
    const recorder = recordTimeline({ scheduler });
    const source = new Subject<AiServiceStreamingEvent>();
    source.pipe(recorder.watch()).subscribe();
    now = 1010;
    source.next(textEvent('a'));
    now = 3;
    source.next(textEvent('b'));
    expect(recorder.timeline().rounds[0]!.segments[0]!.pieces).toEqual([{ at: 10, characters: 2 }]);
  });

  it('keeps a long text in bounds: its pieces grow, and none of its characters is forgotten', () => {
    let now = 0;
    const scheduler = { now: () => now++, schedule: () => ({ closed: true, unsubscribe: () => undefined }) as never };
    const recorder = recordTimeline({ scheduler });
    const source = new Subject<AiServiceStreamingEvent>();
    source.pipe(recorder.watch()).subscribe();
    const event = textEvent('word ');
    for (let i = 0; i < 20_000; i++) source.next(event);
    const [segment] = recorder.timeline().rounds[0]!.segments;
    expect(segment!.characters).toBe(100_000);
    expect(segment!.pieces.length).toBeLessThanOrEqual(1000);
    expect(segment!.pieces.reduce((sum, { characters }) => sum + characters, 0)).toBe(100_000);
  });
});

describe('timeline()', () => {
  it('tells what there is while it runs, and a snapshot never changes', () => {
    const recorder = recordTimeline();
    const service = aiService({ model: scriptedModel([{ marbles: '-A-|' }, '-z|']), tools: [scriptedTool('a', '-----r|')] });
    toolScheduler().run(({ flush }) => {
      service.stream('hello').pipe(recorder.watch()).subscribe();
      asyncScheduler.schedule(() => {
        const early = recorder.timeline();
        expect(early).toMatchObject({ status: 'running', duration: 4, calls: [{ start: 1, outcome: 'unfinished' }] });
        expect(early.end).toBeUndefined();
        const copy = structuredClone(early);
        asyncScheduler.schedule(() => expect(early).toEqual(copy), 20);
      }, 4);
      flush();
    });
    expect(recorder.timeline().status).toBe('completed');
    expect(recorder.timeline()).not.toBe(recorder.timeline());
  });

  it('is empty before anything has begun', () => {
    expect(recordTimeline().timeline()).toEqual({
      version: 1,
      status: 'running',
      duration: 0,
      failures: [],
      rounds: [],
      calls: [],
    });
  });
});

describe('timeline$', () => {
  it('emits at once, then at most once in the time that was set, and the last state for sure', () => {
    runMarbles(({ record }) => {
      const recorder = recordTimeline({ every: 4 });
      const texts = timer(1, 1).pipe(
        take(7),
        map((place) => textEvent(String(place))),
      );
      const watched = texts.pipe(recorder.watch());
      const lengths$ = recorder.timeline$.pipe(map(({ rounds }) => String(rounds[0]?.segments[0]?.characters ?? 0)));
      record(
        merge(
          lengths$,
          watched.pipe(
            toArray(),
            map(() => '!'),
          ),
        ),
      ).toBe('0---3--!7');
    });
  });

  it('is quiet while nothing happens, and tells of the end at once', () => {
    runMarbles(({ record, model }) => {
      const recorder = recordTimeline({ every: 4 });
      const service = aiService({ model: model(['-t-t-t-t-------|']) });
      const watched = service.stream('hello').pipe(recorder.watch(), ignoreElements());
      const drawn$ = recorder.timeline$.pipe(
        map(({ status, rounds }) => (status === 'running' ? String(rounds[0]?.segments[0]?.characters ?? 0) : 'f')),
      );
      record(merge(drawn$, watched)).toBe('0---2---4------f');
    });
  });

  it('starts with what there is for one who comes late', () => {
    const recorder = recordTimeline();
    of(textEvent('a')).pipe(recorder.watch()).subscribe();
    const seen: string[] = [];
    recorder.timeline$
      .pipe(
        tap(({ status }) => seen.push(status)),
        take(1),
      )
      .subscribe();
    expect(seen).toEqual(['completed']);
  });
});
