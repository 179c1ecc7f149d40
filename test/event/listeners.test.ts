import { Subject, config, filter } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AiServiceEvent } from '../../src/event/ai-service-event.ts';
import { eventHub } from '../../src/event/event-hub.ts';
import type { AiServiceErrorEvent } from '../../src/event/lifecycle-events.ts';
import { AiServiceCompletedEvent } from '../../src/event/lifecycle-events.ts';
import { ofEvent } from '../../src/event/of-event.ts';
import { ToolExecutedEvent } from '../../src/event/tool-executed-event.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { keptLogs, play } from '../service/support.ts';

const usual = ['started', 'requestIssued', 'responseReceived', 'completed', 'invocationSummary'];

describe('events$', () => {
  it('[S181] is hot and shared by all invocations of a service, until one unsubscribes', () => {
    const ids = ['1', '2', '3'].values();
    const service = aiService({ model: scriptedModel(['-a-|', '-b-|', 'c|']), idGenerator: () => ids.next().value! });
    const letters: Record<string, string> = {
      started: 's',
      requestIssued: 'q',
      responseReceived: 'r',
      completed: 'c',
      invocationSummary: '.',
    };
    runMarbles(({ expectEvents, record }) => {
      const brief = ({ type, invocation }: AiServiceEvent) => `${invocation.invocationId}${letters[type]}`;
      record(service.events$, brief, '^-----!').toBe('(1s1q)(2s2q)-(1r1c1.)(2r2c2.)');
      expectEvents(service.stream('x')).toBe('-a-($|)');
      expectEvents(service.stream('x'), '-^').toBe('--b-($|)');
      expectEvents(service.stream('x'), '---------^').toBe('---------c($|)');
    });
  });

  it('is never ended by an invocation, whatever its end', () => {
    const service = aiService({ model: scriptedModel(['a|', '#', '----a|']), logger: keptLogs() });
    runMarbles(({ expectEvents, record }) => {
      const endings = service.events$.pipe(filter(({ type }) => ['completed', 'error', 'cancelled'].includes(type)));
      record(endings, ({ type }) => type.charAt(0)).toBe('-ce--c');
      expectEvents(service.stream('x'));
      expectEvents(service.stream('x'), '--^');
      expectEvents(service.stream('x'), '----^!');
    });
  });

  it('can be narrowed to one kind of event', () => {
    const service = aiService({ model: scriptedModel(['A|', 'z|']), tools: [scriptedTool('a', '---r|')] });
    runMarbles(({ expectEvents, record }) => {
      record(service.events$.pipe(ofEvent(ToolExecutedEvent)), ({ request }) => request.name).toBe('----a');
      record(service.events$.pipe(ofEvent(AiServiceCompletedEvent)), () => 'c').toBe('-----c');
      expectEvents(service.stream('x'));
    });
  });

  it('makes no event that nobody is there to see', () => {
    const hub = eventHub([], keptLogs());
    const makeEvent = vi.fn();
    hub.fire(makeEvent);
    expect(makeEvent).not.toHaveBeenCalled();
  });

  it('is for looking only: it can not be pushed into', () => {
    const service = aiService({ model: scriptedModel([]) });
    expect(service.events$).not.toBeInstanceOf(Subject);
    expect(service.events$).not.toHaveProperty('next');
  });
});

describe('[G33] a listener that throws', () => {
  const failure = new Error('listener broke');
  const throwing = () => {
    throw failure;
  };

  it('changes neither the invocation nor what the other listeners get, and is logged', () => {
    const before: string[] = [];
    const after: string[] = [];
    const { marbles, logs, error } = play({
      rounds: ['-a-|'],
      listeners: [({ type }) => before.push(type), throwing, ({ type }) => after.push(type)],
    });
    expect(marbles).toBe('-a-($|)');
    expect(error).toBeUndefined();
    expect([before, after]).toEqual([usual, usual]);
    expect(logs).toHaveLength(usual.length);
    for (const [level, , error] of logs) expect([level, error]).toEqual(['error', failure]);
  });

  it("does not hide the model's error", () => {
    const original = new Error('model broke');
    const { error, fired } = play({ rounds: [{ marbles: '-a#', error: original }], listeners: [throwing] });
    expect(error).toBe(original);
    expect((fired.at(-1) as AiServiceErrorEvent).error).toBe(original);
  });

  it('is caught as well when it is async', async () => {
    const { marbles, logs } = play({ rounds: ['-a-|'], listeners: [() => Promise.reject(failure)] });
    expect(marbles).toBe('-a-($|)');
    await Promise.resolve();
    expect(logs.map(([level, , error]) => [level, error])).toEqual(usual.map(() => ['error', failure]));
  });

  it('[S182] gets every event before the next thing happens', () => {
    const order: string[] = [];
    const model = scriptedModel(['a|']);
    const service = aiService({
      model: { ...model, chat: (request) => (order.push('model'), model.chat(request)) },
      listeners: [({ type }) => order.push(type)],
    });
    runMarbles(({ record }) => {
      record(service.stream('x'), (event) => (order.push(event.type), ''));
    });
    expect(order).toEqual([
      'started',
      'requestIssued',
      'model',
      'partialResponse',
      'responseReceived',
      'completed',
      'invocationSummary',
      'finalResponse',
    ]);
  });
});

describe('[G33] a subscriber of events$ that throws', () => {
  const failure = new Error('subscriber broke');
  const unhandled: unknown[] = [];
  let original: typeof config.onUnhandledError;

  beforeEach(() => {
    original = config.onUnhandledError;
    unhandled.length = 0;
    config.onUnhandledError = (error) => unhandled.push(error);
  });
  afterEach(() => {
    config.onUnhandledError = original;
  });

  it("is told to RxJS' config.onUnhandledError only: not to the invocation, nor to other subscribers", () => {
    const logger = keptLogs();
    const service = aiService({ model: scriptedModel(['-a-|']), logger });
    const others: string[] = [];
    service.events$.subscribe({
      next: () => {
        throw failure;
      },
      error: () => {},
    });
    service.events$.subscribe({ next: ({ type }) => others.push(type), error: () => {} });
    runMarbles(({ expectEvents }) => {
      expectEvents(service.stream('x')).toBe('-a-($|)');
    });
    expect(others).toEqual(usual);
    expect(unhandled).toEqual(usual.map(() => failure));
    expect(logger.logs).toEqual([]);
  });
});
