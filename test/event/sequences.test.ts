import { describe, expect, it } from 'vitest';
import {
  AiServiceCancelledEvent,
  AiServiceCompletedEvent,
  AiServiceErrorEvent,
  AiServiceStartedEvent,
} from '../../src/event/lifecycle-events.ts';
import { AiServiceRequestIssuedEvent, AiServiceResponseReceivedEvent } from '../../src/event/model-events.ts';
import { ToolExecutedEvent } from '../../src/event/tool-executed-event.ts';
import type { AiServiceEvent } from '../../src/event/ai-service-event.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import { play, type Script } from '../service/support.ts';

const oneOf = <E>(events: readonly AiServiceEvent[], type: abstract new (...fields: never[]) => E): E[] =>
  events.filter((event): event is AiServiceEvent & E => event instanceof type);
const sentences = (script: Script) => play(script).firedTypes.join(' ');

const asks = ['started', 'requestIssued'];
const answered = [...asks, 'responseReceived'];
const withTool = [...answered, 'toolExecuted', 'requestIssued'];

describe('[S178] the events of an invocation', () => {
  const working = () => [scriptedTool('a', '--r|')];
  const broken = () => [scriptedTool('a', '--#')];

  it.each<[what: string, script: Script, events: readonly string[]]>([
    ['success', { rounds: ['-t|'] }, [...answered, 'completed']],
    ['success with a tool', { rounds: ['-A|', '-z|'], tools: working() }, [...withTool, 'responseReceived', 'completed']],
    ['model failure', { rounds: ['-t#'] }, [...asks, 'error']],
    ['model failure before anything was said', { rounds: ['#'] }, [...asks, 'error']],
    ['model failure after a tool', { rounds: ['-A|', '-t#'], tools: working() }, [...withTool, 'error']],
    ['model failure beside a running tool', { rounds: ['-A#'], tools: working() }, [...asks, 'toolExecuted', 'error']],
    ['tool failure', { rounds: ['-A|'], tools: broken() }, [...answered, 'toolExecuted', 'error']],
    [
      'tool failure that the model is told of',
      {
        rounds: ['-A|', '-z|'],
        tools: broken(),
        toolExecutionErrorHandler: toolExecutionErrorHandler.sendExceptionMessageToLlm(),
      },
      [...withTool, 'responseReceived', 'completed'],
    ],
    ['an unknown tool', { rounds: ['-A|'] }, [...answered, 'toolExecuted', 'error']],
    ['a round too many', { rounds: ['A|', 'A|'], tools: working(), maxToolCallingRoundTrips: 1 }, [...withTool, 'error']],
    ['cancel while the model streams', { rounds: ['-t----|'], subscription: '^--!' }, [...asks, 'cancelled']],
    [
      'cancel while a tool runs',
      { rounds: ['-A|'], tools: [scriptedTool('a', '--------r|')], subscription: '^---!' },
      [...answered, 'cancelled'],
    ],
    [
      'cancel in the second round',
      { rounds: ['-A|', '-----z|'], tools: working(), subscription: '^------!' },
      [...withTool, 'cancelled'],
    ],
    [
      'a failing prologue',
      {
        rounds: [],
        systemMessage: () => {
          throw new Error('no system message');
        },
      },
      ['started', 'error'],
    ],
  ])('come in this order, with exactly one at the end: %s', (_, script, events) => {
    expect(sentences(script)).toBe(events.join(' '));
  });

  it('[S186] are cancelled once, and nothing else, for an aborted signal', () => {
    const controller = new AbortController();
    const { firedTypes, fired, error } = play({
      rounds: ['-t-----|'],
      call: { signal: controller.signal },
      meanwhile: { 3: () => controller.abort('enough') },
    });
    expect(firedTypes).toEqual([...asks, 'cancelled']);
    expect(oneOf(fired, AiServiceCancelledEvent)[0]!.reason).toBe('enough');
    expect((error as Error).name).toBe('AbortError');
  });

  it('[S186] are those of a success for a consumer that leaves with the final response', () => {
    expect(sentences({ rounds: ['-t-|'], subscription: '^--!' })).toBe([...asks, 'cancelled'].join(' '));
    expect(sentences({ rounds: ['-t-|'], subscription: '^---!' })).toBe([...answered, 'completed'].join(' '));
  });

  it('[S179] tell two requests, two responses and one tool, for an answer after one call', () => {
    const { fired, model } = play({ rounds: ['A|', 'z|'], tools: working(), systemMessage: 'Be brief.' });
    const [started] = oneOf(fired, AiServiceStartedEvent);
    expect(started!.userMessage).toEqual({ role: 'user', contents: [{ type: 'text', text: 'hello' }] });
    expect(started!.systemMessage).toEqual({ role: 'system', text: 'Be brief.' });
    const requests = oneOf(fired, AiServiceRequestIssuedEvent);
    const responses = oneOf(fired, AiServiceResponseReceivedEvent);
    expect(requests.map(({ request }) => request)).toEqual(model.requests);
    expect(responses.map(({ request }) => request)).toEqual(model.requests);
    expect(responses.map(({ response }) => response.finishReason)).toEqual(['toolExecution', 'stop']);
    expect(oneOf(fired, ToolExecutedEvent).map(({ resultText }) => resultText)).toEqual(['r']);
    expect(oneOf(fired, AiServiceCompletedEvent)[0]!.result).toMatchObject({ content: 'z', toolExecutions: [{ result: 'r' }] });
  });

  it('[S180] all have the same invocation context, with an id and a time', () => {
    const { fired, values } = play({ rounds: ['A|', 'z|'], tools: working(), name: 'shop', idGenerator: () => 'i7' });
    const contexts = new Set([...fired, ...values].map(({ invocation }) => invocation));
    expect(contexts.size).toBe(1);
    expect([...contexts][0]).toMatchObject({ invocationId: 'i7', serviceName: 'shop', timestamp: 0 });
  });
});

describe('the events of tools', () => {
  it('[G36] come in request order when all have ended, though they ended in another order', () => {
    const at: [string, string][] = [];
    const { marbles, fired } = play({
      rounds: ['(ABC)|', 'z|'],
      tools: [scriptedTool('a', '------x|'), scriptedTool('b', '-y|'), scriptedTool('c', '---#')],
      toolExecutionErrorHandler: toolExecutionErrorHandler.sendExceptionMessageToLlm(),
      listeners: [(event) => at.push([event.type, event.toJSON()['type'] as string])],
    });
    expect(marbles).toBe('(A<aB<bC<c)(*b%)>b>c--*a(>az)($|)');
    const tools = oneOf(fired, ToolExecutedEvent);
    expect(tools.map(({ request, isError, resultText }) => [request.id, isError, resultText])).toEqual([
      ['A', false, 'x'],
      ['B', false, 'y'],
      ['C', true, 'c failed'],
    ]);
    expect(at.map(([type]) => type)).toEqual([
      'started',
      'requestIssued',
      'responseReceived',
      'toolExecuted',
      'toolExecuted',
      'toolExecuted',
      'requestIssued',
      'responseReceived',
      'completed',
      'invocationSummary',
    ]);
  });

  it('[S184] tell the failure that ended the invocation as an error too, with the text that the model did not get, and then comes the error', () => {
    const failure = new Error('disk full');
    const { fired, model, history } = play({
      rounds: ['(AB)|'],
      tools: [scriptedTool('a', '--#', { error: failure }), scriptedTool('b', '-y|')],
    });
    const tools = oneOf(fired, ToolExecutedEvent);
    expect(tools.map(({ request, isError, resultText, error }) => [request.id, isError, resultText, error])).toEqual([
      ['A', true, 'disk full', failure],
      ['B', false, 'y', undefined],
    ]);
    expect(fired.at(-1)).toBeInstanceOf(AiServiceErrorEvent);
    expect((fired.at(-1) as AiServiceErrorEvent).error).toBe(failure);
    expect(model.requests).toHaveLength(1);
    expect(history.join()).not.toContain('disk full');
  });

  it('[G14] keep the whole result', () => {
    const long = 'x'.repeat(100_000);
    const { fired } = play({ rounds: ['A|', 'z|'], tools: [scriptedTool('a', 'r|', { values: { r: long } })] });
    expect(oneOf(fired, ToolExecutedEvent)[0]!.resultText).toBe(long);
  });
});
