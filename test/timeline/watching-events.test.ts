import { Subject, asyncScheduler, delay, from, of, retry, take, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { AiServiceEvent } from '../../src/event/ai-service-event.ts';
import { AiServiceStartedEvent } from '../../src/event/lifecycle-events.ts';
import { ToolExecutedEvent } from '../../src/event/tool-executed-event.ts';
import { aiService, type AiService } from '../../src/service/ai-service.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { toolScheduler } from '../../src/testing/tool-scheduler.ts';
import { recordTimeline } from '../../src/timeline/record-timeline.ts';
import { renderAscii } from '../../src/timeline/render-ascii.ts';
import { timelines } from '../../src/timeline/timelines.ts';
import type { Timeline } from '../../src/timeline/timeline.ts';
import { call, pacedModel, played, slowTool, words } from './paced.ts';
import { samples } from './samples.ts';

const userMessage = { role: 'user', contents: [] } as const;
const contextOf = (invocationId: string) => ({
  invocationId,
  userMessage,
  originalUserMessage: userMessage,
  parameters: new Map(),
  timestamp: 0,
});

/** A service whose tool takes 200 ms, asked 100 ms after 0, and again for each further time. */
function asked(recordIt: (service: AiService) => void, times: readonly number[] = [100]): void {
  toolScheduler().run(({ flush }) => {
    let id = 0;
    const model = () => pacedModel([[...words('Wait. ', 10), ...call(0, 'a', {}, 10)], words('Done.', 10)], 100);
    const service = aiService({ name: 'aide', model: model(), tools: [slowTool('a', 200)], idGenerator: () => String(++id) });
    recordIt(service);
    for (const at of times) asyncScheduler.schedule(() => void service.stream('hello', { model: model() }).subscribe(), at);
    flush();
  });
}

describe('watchEvents', () => {
  it('records from the events of a service alone what they tell, from the start of the invocation', () => {
    const recorder = recordTimeline();
    asked((service) => service.events$.pipe(recorder.watchEvents()).subscribe());
    expect(recorder.timeline()).toMatchObject({
      serviceName: 'aide',
      status: 'completed',
      end: 430,
      rounds: [
        { number: 1, start: 0, answered: 120, end: 320, segments: [{ type: 'text', text: 'Wait. ', start: 120, end: 120 }] },
        { number: 2, start: 320, answered: 430 },
      ],
      calls: [{ name: 'a', outcome: 'ok', start: 120, end: 320, isWithin: true, result: 'a is done' }],
    });
    expect(renderAscii(recorder.timeline())).toContain('within 200 ms');
  });

  it('records the first invocation that starts, and no other', () => {
    const recorder = recordTimeline();
    asked((service) => service.events$.pipe(recorder.watchEvents()).subscribe(), [0, 50, 1000]);
    const { invocationId, rounds, end } = recorder.timeline();
    expect([invocationId, rounds.length, end]).toEqual(['1', 2, 430]);
  });

  it('records the invocation of an id where one is given', () => {
    const recorder = recordTimeline({ invocationId: '2' });
    asked((service) => service.events$.pipe(recorder.watchEvents()).subscribe(), [0, 50]);
    expect(recorder.timeline()).toMatchObject({ invocationId: '2', end: 430, rounds: [{ start: 0 }, { start: 320 }] });
  });

  it('begins with no invocation that was under way before', () => {
    const recorder = recordTimeline();
    asked((service) => asyncScheduler.schedule(() => service.events$.pipe(recorder.watchEvents()).subscribe(), 200));
    expect(recorder.timeline().rounds).toEqual([]);
  });

  it('adds to the stream of an invocation what was undone after it was left', () => {
    const { timeline } = samples.cancelled();
    const reserve = timeline.calls.find(({ name }) => name === 'reserve');
    expect(timeline).toMatchObject({ status: 'cancelled', end: 2900, duration: 3200 });
    expect(reserve!.compensation).toEqual({ at: 3200, reason: 'cancelled' });
  });

  it('tells of a tool that was left to settle after a cancel when it ended, and that it had succeeded', () => {
    const { timeline } = played(
      () =>
        aiService({
          compensateOnToolErrors: true,
          model: pacedModel([[...call(0, 'book')]]),
          tools: [slowTool('book', 500, { compensate: () => of(true).pipe(delay(100)) })],
        }),
      { leaveAt: 600, watchEvents: true },
    );
    const [{ start, end, outcome, compensation } = {}] = timeline.calls;
    expect({ took: end! - start!, outcome, undone: compensation!.at - end! }).toEqual({ took: 500, outcome: 'ok', undone: 100 });
    expect(timeline.end).toBe(600);
  });

  it('tells the same rounds with the stream and the events as with the stream alone', () => {
    const service = () =>
      aiService({
        model: pacedModel([[...words('Wait. ', 10), ...call(0, 'a')], words('Done.', 10)]),
        tools: [slowTool('a', 200)],
        idGenerator: () => '1',
      });
    expect(played(service, { watchEvents: true }).timeline).toEqual(played(service).timeline);
  });

  it('tells the rounds right where the events are no longer watched', () => {
    const recorder = recordTimeline();
    toolScheduler().run(({ flush }) => {
      const model = pacedModel([[...words('Wait. ', 10), ...call(0, 'a')], words('Done.', 10)]);
      const service = aiService({ model, tools: [slowTool('a', 200)] });
      service.events$.pipe(take(2), recorder.watchEvents()).subscribe();
      service.stream('hello').pipe(recorder.watch()).subscribe();
      flush();
    });
    expect(recorder.timeline().rounds.map(({ number }) => number)).toEqual([1, 2]);
  });

  it('finds its invocation among others of the service by the stream that is watched', () => {
    const recorder = recordTimeline();
    asked(
      (service) => {
        service.events$.pipe(recorder.watchEvents()).subscribe();
        asyncScheduler.schedule(() => void service.stream('hello').pipe(recorder.watch()).subscribe(), 60);
      },
      [0, 61],
    );
    expect(recorder.timeline()).toMatchObject({ status: 'completed', invocationId: '2', end: 430 });
    expect(recorder.timeline().calls).toHaveLength(1);
  });

  it('adds the stream to an invocation that had started before it was watched', () => {
    const recorder = recordTimeline();
    toolScheduler().run(({ flush }) => {
      const service = aiService({ model: pacedModel([words('Done at last.', 10)]) });
      service.events$.pipe(recorder.watchEvents()).subscribe();
      service.start('hello').events$.pipe(recorder.watch()).subscribe();
      flush();
    });
    expect(recorder.timeline().rounds[0]!.segments[0]!.pieces).toHaveLength(3);
  });

  it('tells of a failure that was tried again once, also where stream and events tell of it', () => {
    const recorder = recordTimeline();
    const service = aiService({ model: scriptedModel([{ marbles: '#', error: new Error('cut') }, ['Done.']]) });
    service.events$.pipe(recorder.watchEvents()).subscribe();
    toolScheduler().run(({ flush }) => {
      service.stream('hello').pipe(recorder.watch(), retry(1)).subscribe();
      flush();
    });
    expect(recorder.timeline()).toMatchObject({ status: 'completed', failures: [{ error: 'cut' }] });
    expect(recorder.timeline().rounds.map(({ number }) => number)).toEqual([1, 2]);
  });

  it('tells of an invocation that was left before it had a word', () => {
    const recorder = recordTimeline();
    asked(
      (service) => {
        service.events$.pipe(recorder.watchEvents()).subscribe();
        const watching = service.stream('hello').pipe(recorder.watch()).subscribe();
        asyncScheduler.schedule(() => watching.unsubscribe(), 50);
      },
      [500],
    );
    expect(recorder.timeline()).toMatchObject({
      invocationId: '1',
      status: 'cancelled',
      end: 50,
      rounds: [{ start: 0, end: 50 }],
    });
  });

  it('lets the events have the last word: to stop watching a started invocation is no cancel', () => {
    const recorder = recordTimeline();
    toolScheduler().run(({ flush }) => {
      const service = aiService({ model: pacedModel([words('Done.', 10)]) });
      service.events$.pipe(recorder.watchEvents()).subscribe();
      const watching = service.start('hello').events$.pipe(recorder.watch()).subscribe();
      asyncScheduler.schedule(() => watching.unsubscribe(), 50);
      asyncScheduler.schedule(() => expect(recorder.timeline().status).toBe('running'), 60);
      flush();
    });
    expect(recorder.timeline()).toMatchObject({ status: 'completed', end: 310 });
  });

  it('takes events that somebody else made and that leave things out', () => {
    const recorder = recordTimeline();
    const invocation = contextOf('x');
    const request = { id: '1', name: 'a', arguments: '{}' };
    const events: readonly AiServiceEvent[] = [
      new AiServiceStartedEvent({ invocation, userMessage }),
      new ToolExecutedEvent({ invocation, request, resultContents: [], error: new Error('no') }),
    ];
    from(events).pipe(recorder.watchEvents()).subscribe();
    expect(recorder.timeline().calls).toMatchObject([{ name: 'a', outcome: 'error' }]);
  });
});

describe('timelines', () => {
  it('records each invocation that starts, and emits it when it has ended', () => {
    const ended: Timeline[] = [];
    asked(
      (service) =>
        service.events$
          .pipe(
            timelines(),
            tap((timeline) => ended.push(timeline)),
          )
          .subscribe(),
      [0, 50, 1000],
    );
    expect(ended.map(({ invocationId, status, end }) => [invocationId, status, end])).toEqual([
      ['1', 'completed', 430],
      ['2', 'completed', 430],
      ['3', 'completed', 430],
    ]);
  });

  it('ends with its source', () => {
    const source = new Subject<AiServiceEvent>();
    const seen: string[] = [];
    source.pipe(timelines()).subscribe({ error: (error: unknown) => seen.push((error as Error).message) });
    source.error(new Error('gone'));
    expect([seen, source.observed]).toEqual([['gone'], false]);
  });
});
