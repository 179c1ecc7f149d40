import { Observable, Subject, retry, timer } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { guardrail } from '../../src/chat/guardrail-result.ts';
import type { ChatMessage } from '../../src/chat/message.ts';
import { AiServiceEvent } from '../../src/event/ai-service-event.ts';
import { eventHub } from '../../src/event/event-hub.ts';
import { AiServiceInvocationSummaryEvent } from '../../src/event/invocation-summary-event.ts';
import { AiServiceCompletedEvent, AiServiceStartedEvent } from '../../src/event/lifecycle-events.ts';
import { AiServiceRequestIssuedEvent, AiServiceResponseReceivedEvent } from '../../src/event/model-events.ts';
import { ofEvent } from '../../src/event/of-event.ts';
import { aiService, type AiService } from '../../src/service/ai-service.ts';
import { lifecycle } from '../../src/service/lifecycle.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import type { InvocationContext } from '../../src/tool/invocation-context.ts';
import { tool } from '../../src/tool/tool.ts';
import { keptLogs, play, type Script } from '../service/support.ts';

class Refunded extends AiServiceEvent {
  readonly type = 'refunded';
}

const userMessage = { role: 'user', contents: [{ type: 'text', text: 'hello' }] } as const;
const contextOf = (invocationId: string): InvocationContext => ({
  invocationId,
  userMessage,
  originalUserMessage: userMessage,
  parameters: new Map(),
  timestamp: 0,
});
const typesOf = ({ events }: AiServiceInvocationSummaryEvent) => events.map(({ type }) => type).join(' ');

function watchSummaries({ events$ }: AiService, next: (summary: AiServiceInvocationSummaryEvent) => void): void {
  events$.pipe(ofEvent(AiServiceInvocationSummaryEvent)).subscribe({ next, error: () => undefined });
}

const started = 'started requestIssued';
const answered = `${started} responseReceived`;

describe('the summary of an invocation', () => {
  it.each<[what: string, script: Script, last: string]>([
    ['completes', { rounds: ['-A|', '-z|'], tools: [scriptedTool('a', '--r|')] }, 'completed'],
    ['fails', { rounds: ['-A|', '-t#'], tools: [scriptedTool('a', '--r|')] }, 'error'],
    ['is left', { rounds: ['-A|', '-----z|'], tools: [scriptedTool('a', '--r|')], subscription: '^-----!' }, 'cancelled'],
  ])('[S185] that %s comes behind its last event and holds all of them, in order', (_, script, last) => {
    const all: AiServiceEvent[] = [];
    const { fired, summaries } = play({ ...script, listeners: [(event) => all.push(event)] });
    expect(fired.at(-1)!.type).toBe(last);
    expect(fired.map(({ type }) => type)).toContain('toolExecuted');
    expect(summaries).toHaveLength(1);
    expect(summaries[0]!.events).toEqual(fired);
    expect(summaries[0]!.invocation).toBe(fired[0]!.invocation);
    expect(all).toEqual([...fired, summaries[0]]);
  });

  it('has what guardrails said and what was undone, before the end', () => {
    const a = { ...scriptedTool('a', 'r|'), compensate: () => undefined };
    const { summaries } = play({
      rounds: ['-A|', '-z|'],
      tools: [a],
      compensateOnToolErrors: true,
      inputGuardrails: [() => guardrail.success()],
      outputGuardrails: [() => guardrail.fatal('No.')],
    });
    expect(summaries.map(typesOf)).toEqual([
      `started inputGuardrailExecuted requestIssued responseReceived toolExecuted requestIssued responseReceived outputGuardrailExecuted toolCompensated error`,
    ]);
  });

  it('comes before the final response is emitted', () => {
    const service = aiService({ model: scriptedModel(['-t|']) });
    const order: string[] = [];
    runMarbles(({ record }) => {
      record(service.events$, ({ type }) => (order.push(type), ''));
      record(service.stream('x'), ({ type }) => (order.push(type), ''));
    });
    expect(order.slice(-3)).toEqual(['completed', 'invocationSummary', 'finalResponse']);
  });

  it('comes also for an invocation whose signal was aborted before it began', () => {
    const { summaries, error } = play({ rounds: [], call: { signal: AbortSignal.abort('never mind') } });
    expect(error).toMatchObject({ name: 'AbortError' });
    expect(summaries.map(typesOf)).toEqual(['started cancelled']);
  });

  it('comes once, whoever leaves when it hears of the end', () => {
    const service = aiService({ model: scriptedModel(['-t|']) });
    const summaries: string[] = [];
    watchSummaries(service, (summary) => summaries.push(typesOf(summary)));
    runMarbles(({ at }) => {
      at(0, () => {
        const running = service.stream('x').subscribe({ error: () => undefined });
        service.events$.pipe(ofEvent(AiServiceCompletedEvent)).subscribe({
          next: () => running.unsubscribe(),
          error: () => undefined,
        });
      });
    });
    expect(summaries).toEqual([`${answered} completed`]);
  });

  it('[S185] is not made when nobody was there at the start', () => {
    const service = aiService({ model: scriptedModel(['---t|']) });
    runMarbles(({ expectEvents, record }) => {
      record(service.events$, ({ type }) => type.charAt(0), '--^').toBe('----(rc)');
      expectEvents(service.stream('x'));
    });
  });

  it('has no gap when everybody left in between', () => {
    const service = aiService({ model: scriptedModel(['--A|', '--z|']), tools: [scriptedTool('a', '--r|')] });
    const summaries: string[] = [];
    runMarbles(({ expectEvents, record, at }) => {
      record(service.events$, ({ type }) => type.charAt(0), '^!').toBe('(sr)');
      expectEvents(service.stream('x'));
      at(7, () => watchSummaries(service, (summary) => summaries.push(typesOf(summary))));
    });
    expect(summaries).toEqual([`${answered} toolExecuted requestIssued responseReceived completed`]);
  });

  it('is of one invocation, though others run at the same time', () => {
    const ids = ['one', 'two'].values();
    const service = aiService({
      model: scriptedModel(['-A--|', '--t#', '-z|']),
      tools: [scriptedTool('a', '--r|')],
      idGenerator: () => ids.next().value!,
    });
    const summaries: AiServiceInvocationSummaryEvent[] = [];
    watchSummaries(service, (summary) => summaries.push(summary));
    runMarbles(({ expectEvents }) => {
      expectEvents(service.stream('x'));
      expectEvents(service.stream('y'), '-^');
    });
    expect(summaries.map(typesOf)).toEqual([
      `${started} error`,
      `${answered} toolExecuted requestIssued responseReceived completed`,
    ]);
    for (const { events, invocation } of summaries)
      expect(new Set(events.map((event) => event.invocation))).toEqual(new Set([invocation]));
  });

  it('[S180] is of one invocation, though ids repeat', () => {
    const service = aiService({ model: scriptedModel(['-t--|', '--t--|']), idGenerator: () => 'same' });
    const summaries: string[] = [];
    watchSummaries(service, (summary) => summaries.push(typesOf(summary)));
    runMarbles(({ expectEvents }) => {
      expectEvents(service.stream('x'));
      expectEvents(service.stream('y'));
    });
    expect(summaries).toEqual([`${answered} completed`, `${answered} completed`]);
  });

  it('has nothing of a service that a tool has asked', () => {
    const inner = aiService({ model: scriptedModel(['t|']), listeners: [() => undefined] });
    const ask = tool({ name: 'a', execute: () => inner.text('x') });
    const { summaries } = play({ rounds: ['A|', 'z|'], tools: [ask] });
    expect(summaries.map(typesOf)).toEqual([`${answered} toolExecuted requestIssued responseReceived completed`]);
  });

  it('is made for each subscription of an invocation that goes on after a failure, with the events of that subscription', () => {
    const { fired, summaries } = play({ rounds: ['-#', '-A|', '-z|'], tools: [scriptedTool('a', 'r|')], pipe: retry(1) });
    expect(summaries.map(typesOf)).toEqual([
      `${started} error`,
      'requestIssued responseReceived toolExecuted requestIssued responseReceived completed',
    ]);
    expect(summaries.flatMap(({ events }) => events)).toEqual(fired);
    expect(new Set(summaries.map(({ invocation }) => invocation)).size).toBe(1);
  });

  it('is not mixed up when a listener subscribes again as soon as it hears of the failure', () => {
    let subscribeAgain = () => {};
    const { summaries } = play({
      rounds: ['-#', '-z|'],
      listeners: [({ type }) => type === 'error' && subscribeAgain()],
      pipe: (events) =>
        new Observable((subscriber) => {
          subscribeAgain = () => void events.subscribe({ error: () => undefined });
          return events.subscribe(subscriber);
        }),
    });
    expect(summaries.map(typesOf)).toEqual([`${started} error`, 'requestIssued responseReceived completed']);
  });

  it('[G33] may be too much for a listener: it is logged like any other event', () => {
    const broken = new Error('too much');
    const { marbles, logs } = play({
      rounds: ['-t|'],
      listeners: [
        (event) => {
          if (event instanceof AiServiceInvocationSummaryEvent) throw broken;
        },
      ],
    });
    expect(marbles).toBe('-t($|)');
    expect(logs).toEqual([['error', expect.stringContaining('invocationSummary'), broken]]);
  });
});

describe('fire()', () => {
  const refunding = (events: AiServiceEvent[]) => {
    const model = scriptedModel(['-A|', '-z|']);
    const service: AiService = aiService({
      model,
      tools: [tool({ name: 'a', execute: (_, { invocation }) => service.fire(new Refunded({ invocation })) })],
      listeners: [(event) => events.push(event)],
    });
    return service;
  };

  it("hands an event of one's own to listeners and events$, and the summary has it in its place", () => {
    const heard: AiServiceEvent[] = [];
    const service = refunding(heard);
    runMarbles(({ expectEvents, record }) => {
      record(service.events$.pipe(ofEvent(Refunded)), ({ type }) => type.charAt(0)).toBe('-r');
      expectEvents(service.stream('x')).toBe('-(A<a>a)%z($|)');
    });
    expect(heard.filter(({ type }) => type === 'refunded')).toHaveLength(1);
    expect(typesOf(heard.at(-1) as AiServiceInvocationSummaryEvent)).toBe(
      'started requestIssued refunded responseReceived toolExecuted requestIssued responseReceived completed',
    );
  });

  it('[S185] is too late for the summary once the invocation has ended, also for a listener that hears of the end', () => {
    const late: AiServiceEvent[] = [];
    const service: AiService = aiService({
      model: scriptedModel(['-t|']),
      listeners: [
        (event) => {
          late.push(event);
          const { type, invocation } = event;
          if (type === 'completed' || type === 'invocationSummary') service.fire(new Refunded({ invocation }));
        },
      ],
    });
    runMarbles(({ expectEvents }) => {
      expectEvents(service.stream('x'));
    });
    expect(late.map(({ type }) => type).join(' ')).toBe(`${answered} completed refunded invocationSummary refunded`);
    expect(late.flatMap((event) => (event instanceof AiServiceInvocationSummaryEvent ? [typesOf(event)] : []))).toEqual([
      `${answered} completed`,
    ]);
  });

  it('[S185] is too late when what an invocation has begun goes on after a cancel', () => {
    const heard: AiServiceEvent[] = [];
    const work = scriptedTool('a', '---------r|');
    const service = aiService({ model: scriptedModel(['-A|']), tools: [work], listeners: [(event) => heard.push(event)] });
    runMarbles(({ expectEvents, at }) => {
      expectEvents(service.stream('x'), '^---!');
      at(6, () => service.fire(new Refunded({ invocation: work.contexts[0]!.invocation })));
    });
    expect(heard.map(({ type }) => type).join(' ')).toBe(`${answered} cancelled invocationSummary refunded`);
    expect(typesOf(heard.at(-2) as AiServiceInvocationSummaryEvent)).toBe(`${answered} cancelled`);
  });

  it('[S185] is too late for the summary like all that a cancelled invocation still undoes', () => {
    const a = { ...scriptedTool('a', 'r|'), compensate: () => timer(2) };
    const all: string[] = [];
    const { summaries } = play({
      rounds: ['-A|', '----z|'],
      tools: [a],
      compensateOnToolErrors: true,
      subscription: '^----!',
      listeners: [({ type }) => all.push(type)],
    });
    expect(all.slice(-3)).toEqual(['cancelled', 'invocationSummary', 'toolCompensated']);
    expect(summaries.map(typesOf)).toEqual([`${answered} toolExecuted requestIssued cancelled`]);
  });

  it('finds the invocation of a copied context', () => {
    const heard: AiServiceEvent[] = [];
    const service: AiService = aiService({
      model: scriptedModel(['-t|']),
      systemMessage: (context) => {
        service.fire(new Refunded({ invocation: { ...context } }));
        return 'Be brief.';
      },
      listeners: [(event) => heard.push(event)],
    });
    runMarbles(({ expectEvents }) => {
      expectEvents(service.stream('x'));
    });
    expect(typesOf(heard.at(-1) as AiServiceInvocationSummaryEvent)).toBe(`refunded ${answered} completed`);
  });

  it('reaches who looks on at any time: an event need not belong to an invocation that runs', () => {
    const heard: string[] = [];
    const service = aiService({ model: scriptedModel([]), listeners: [({ type }) => heard.push(type)] });
    service.fire(new Refunded({ invocation: contextOf('i1') }));
    expect(heard).toEqual(['refunded']);
  });

  it('takes an event of another copy of the package, which is no instance of this one', () => {
    const heard: AiServiceEvent[] = [];
    const service = aiService({ model: scriptedModel([]), listeners: [(event) => heard.push(event)] });
    const foreign = { type: 'refunded', invocation: contextOf('i1') } as unknown as AiServiceEvent;
    service.fire(foreign);
    expect(heard).toEqual([foreign]);
  });

  it.each<[what: string, event: unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'refunded'],
    ['no type', { invocation: contextOf('i1') }],
    ['an empty type', { type: '', invocation: contextOf('i1') }],
    ['no invocation', { type: 'refunded' }],
    ['an event whose invocation is none', new Refunded({ invocation: 7 as never })],
  ])('says what an event must be: %s', (_, event) => {
    const service = aiService({ model: scriptedModel([]), listeners: [vi.fn()] });
    expect(() => service.fire(event as AiServiceEvent)).toThrow(/^fire: the event is .*; it must be an AiServiceEvent/);
  });
});

describe('what nobody listens to', () => {
  const hubOf = () => eventHub([], keptLogs());

  it('is not made and not kept', () => {
    const hub = hubOf();
    const makeEvent = vi.fn(() => new Refunded({ invocation }));
    const invocation = contextOf('i1');
    lifecycle(hub, invocation, false).started();
    hub.fire(makeEvent);
    hub.events$.subscribe();
    expect(makeEvent).not.toHaveBeenCalled();
  });

  it('is not kept any longer when the recorded invocations have ended', () => {
    const hub = hubOf();
    const invocation = contextOf('i1');
    const listener = hub.events$.subscribe();
    const life = lifecycle(hub, invocation, false);
    listener.unsubscribe();
    const makeEvent = vi.fn(() => new Refunded({ invocation }));
    hub.fire(makeEvent);
    expect(makeEvent).toHaveBeenCalledTimes(1);
    life.cancelled();
    hub.fire(makeEvent);
    expect(makeEvent).toHaveBeenCalledTimes(1);
  });
});

describe('the lifecycle of an invocation', () => {
  const lifeOf = () => lifecycle(eventHub([], keptLogs()), contextOf('i1'), false);

  it('tells whether it completed', () => {
    const life = lifeOf();
    life.started();
    expect(life.isCompleted()).toBe(false);
    life.completed();
    expect(life.isCompleted()).toBe(true);
    expect(life.cancelled()).toBe(false);
    expect(life.isCompleted()).toBe(true);
  });

  it('has not completed when it was cancelled or failed before', () => {
    const cancelled = lifeOf();
    expect(cancelled.cancelled('enough')).toBe(true);
    cancelled.completed();
    expect(cancelled.isCompleted()).toBe(false);
    const failed = lifeOf();
    const source = new Subject<never>();
    failed.observed(source, () => undefined).subscribe({ error: () => undefined });
    source.error(new Error('lost'));
    failed.completed();
    expect(failed.isCompleted()).toBe(false);
  });
});

describe('the JSON of a summary', () => {
  const json = (events: readonly AiServiceEvent[], invocation = contextOf('i1')) =>
    JSON.parse(JSON.stringify(new AiServiceInvocationSummaryEvent({ invocation, events }))) as {
      readonly invocation: unknown;
      readonly events: readonly Record<string, unknown>[];
    };
  const say = (text: string): ChatMessage => ({ role: 'assistant', text, toolExecutionRequests: [] });

  it('has the JSON of each event, and the invocation once', () => {
    const invocation = contextOf('i1');
    const { events, ...rest } = json([new AiServiceStartedEvent({ invocation, userMessage }), new Refunded({ invocation })]);
    expect(rest).toEqual({ type: 'invocationSummary', invocation: { ...invocation, parameters: {} } });
    expect(events).toEqual([{ type: 'started', userMessage }, { type: 'refunded' }]);
  });

  it('tells each message and the tools once, and says how many were told above', () => {
    const invocation = contextOf('i1');
    const toolSpecifications = [{ name: 'a', parameters: { type: 'object' } }];
    const [first, second, third] = [say('one'), say('two'), say('three')];
    const requests = [[first], [first, second, third], [third]].map((messages) => ({ messages, toolSpecifications }));
    const response = { aiMessage: { role: 'assistant', text: 'hi', toolExecutionRequests: [] } } as const;
    const { events } = json(
      requests.flatMap((request) => [
        new AiServiceRequestIssuedEvent({ invocation, request }),
        new AiServiceResponseReceivedEvent({ invocation, request, response }),
      ]),
    );
    const received = { type: 'responseReceived', response };
    expect(events).toEqual([
      { type: 'requestIssued', request: { messages: [first], toolSpecifications } },
      received,
      { type: 'requestIssued', request: { messages: ['[1 told above]', second, third], toolSpecifications: '[Told above]' } },
      received,
      { type: 'requestIssued', request: { messages: ['[1 told above]'], toolSpecifications: '[Told above]' } },
      received,
    ]);
  });

  it('grows in proportion to the rounds', () => {
    const lengthOf = (rounds: number) => {
      const { summaries } = play({
        rounds: [...Array.from({ length: rounds }, () => 'A|'), 'z|'],
        tools: [scriptedTool('a', 'r|')],
      });
      return JSON.stringify(summaries[0]).length;
    };
    expect(lengthOf(40)).toBeLessThan(4.5 * lengthOf(10));
  });

  it('leaves the events as they are', () => {
    const invocation = contextOf('i1');
    const request = { messages: [say('one')], toolSpecifications: [] };
    const event = new AiServiceRequestIssuedEvent({ invocation, request });
    json([event, event]);
    expect(event.request).toBe(request);
    expect(request).toEqual({ messages: [say('one')], toolSpecifications: [] });
  });

  it('never throws, whatever is among the events', () => {
    const invocation = contextOf('i1');
    class Broken extends AiServiceEvent {
      readonly type = 'broken';
      override toJSON(): never {
        throw new Error('no');
      }
    }
    const foreign = { type: 'foreign', invocation, request: 'kept', n: 1n };
    const { events } = json([
      new Broken({ invocation }),
      new AiServiceRequestIssuedEvent({ invocation, request: undefined as never }),
      foreign as never,
      null as never,
    ]);
    expect(events).toEqual([
      { type: 'broken' },
      { type: 'requestIssued', invocation: expect.anything() as unknown },
      { type: 'foreign', request: 'kept', n: '1' },
      null,
    ]);
  });
});
