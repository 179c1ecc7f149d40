import { config } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChatModelEvent } from '../../src/chat/chat-model.ts';
import { AiServiceCompletedEvent, AiServiceStartedEvent } from '../../src/event/lifecycle-events.ts';
import type { AiServiceRequestIssuedEvent, AiServiceResponseReceivedEvent } from '../../src/event/model-events.ts';
import { ofEvent } from '../../src/event/of-event.ts';
import { ToolExecutedEvent } from '../../src/event/tool-executed-event.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { play } from './support.ts';

const piece = (index: number, id: string): ChatModelEvent => ({
  type: 'partialToolCall',
  index,
  id,
  name: id.toLowerCase(),
  partialArguments: '{}',
});

describe('the events of a stream', () => {
  const rounds = ['-1A-2B|', '-z|'];
  const script = { events: { '1': piece(0, 'A'), '2': piece(1, 'B') } };
  const run = () => play({ rounds, script, tools: [scriptedTool('a', '-----r|'), scriptedTool('b', '-r|')] });

  it('[G36] come per call in order, each but the progress once: pieces, call, start, end', () => {
    const { values } = run();
    for (const id of ['A', 'B']) {
      const own = values.flatMap((event) => {
        if (event.type === 'partialToolCall') return event.id === id ? [event.type] : [];
        if (event.type === 'afterToolExecution') return event.execution.request.id === id ? [event.type] : [];
        return 'request' in event && event.request.id === id ? [event.type] : [];
      });
      expect(own).toEqual(['partialToolCall', 'completeToolCall', 'beforeToolExecution', 'toolProgress', 'afterToolExecution']);
    }
  });

  it('[G36] never go back to an earlier round, and the final response is last and once', () => {
    const { values } = run();
    const numbers = values.map(({ round }) => round);
    expect(numbers).toEqual([...numbers].sort());
    expect(new Set(numbers)).toEqual(new Set([1, 2]));
    expect(values.filter(({ type }) => type === 'finalResponse')).toEqual([values.at(-1)]);
  });

  it('[S180] all carry the one context of their invocation', () => {
    const { values, fired } = run();
    const { invocation } = values[0]!;
    for (const event of [...values, ...fired]) expect(event.invocation).toBe(invocation);
    expect(invocation).toMatchObject({ timestamp: 0, userMessage: { role: 'user' } });
    expect(invocation.invocationId).toMatch(/.+/);
  });

  it('the intermediate response is the answer that goes into the history', () => {
    const { values, model } = run();
    const marker = values.find((event) => event.type === 'intermediateResponse');
    expect(marker).toMatchObject({ response: { finishReason: 'toolExecution', aiMessage: model.requests[1]!.messages[1]! } });
  });
});

describe('events$ and listeners', () => {
  it('[S179] tell one start, each request and response, each tool in request order, and the end', () => {
    const played = play({
      rounds: ['(AB)|', '-z|'],
      tools: [scriptedTool('a', '---r|'), scriptedTool('b', '-r|')],
      name: 'assistant',
    });
    expect(
      played.fired.map((event) => (event instanceof ToolExecutedEvent ? `${event.request.id}: ${event.resultText}` : event.type)),
    ).toEqual(['started', 'requestIssued', 'responseReceived', 'A: r', 'B: r', 'requestIssued', 'responseReceived', 'completed']);
    const [started, issued, received] = played.fired;
    expect(started).toBeInstanceOf(AiServiceStartedEvent);
    expect(started!.invocation.serviceName).toBe('assistant');
    expect((issued as AiServiceRequestIssuedEvent).request).toBe(played.model.requests[0]);
    expect((received as AiServiceResponseReceivedEvent).request).toBe(played.model.requests[0]);
    expect((played.fired.at(-1) as AiServiceCompletedEvent).result).toMatchObject({ content: 'z' });
  });

  it('tell the same to events$, of all invocations of the service', () => {
    runMarbles(({ expectEvents, record }) => {
      const service = aiService({ model: scriptedModel(['-t|', '-t|']) });
      record(service.events$, ({ type }) => type.charAt(0)).toBe('(sr)-(rci)---(sr)-(rci)');
      record(service.events$.pipe(ofEvent(AiServiceCompletedEvent)), ({ type }) => type.charAt(0)).toBe('--c-----c');
      expectEvents(service.stream('one'));
      expectEvents(service.stream('two'), '------^');
    });
  });

  it('[G33] that throw are logged, and disturb neither the run nor the other listeners', () => {
    const broken = new Error('broken listener');
    const heard: string[] = [];
    const played = play({
      rounds: ['-#'],
      listeners: [
        () => {
          throw broken;
        },
        ({ type }) => heard.push(type),
      ],
    });
    expect(heard).toEqual(['started', 'requestIssued', 'error', 'invocationSummary']);
    expect(played.error).toMatchObject({ name: 'ChatModelError', kind: 'interrupted' });
    expect(played.logs.map(([level, , error]) => [level, error])).toEqual(heard.map(() => ['error', broken]));
  });

  describe('[G33] a subscriber of events$ that throws', () => {
    afterEach(() => {
      config.onUnhandledError = null;
    });

    it('is told by config.onUnhandledError, and does not get into the pipeline', () => {
      const broken = new Error('broken subscriber');
      const unhandled: unknown[] = [];
      config.onUnhandledError = (error) => unhandled.push(error);
      runMarbles(({ expectEvents }) => {
        const service = aiService({ model: scriptedModel(['-t|']) });
        service.events$.subscribe({
          next: () => {
            throw broken;
          },
          error: () => undefined,
        });
        expectEvents(service.stream('hello')).toBe('-t($|)');
      });
      expect(unhandled).toContain(broken);
    });
  });

  it('are hot: who comes late hears nothing of what has been', () => {
    const { service } = play({ rounds: ['-t|'] });
    const late: string[] = [];
    service.events$.subscribe({ next: ({ type }) => late.push(type), error: () => undefined });
    expect(late).toEqual([]);
  });
});
