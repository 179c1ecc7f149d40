import { from } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../src/chat/chat-request.ts';
import type { ChatResponse } from '../../src/chat/chat-response.ts';
import type { Content } from '../../src/chat/content.ts';
import { AiServiceEvent } from '../../src/event/ai-service-event.ts';
import {
  AiServiceCancelledEvent,
  AiServiceCompletedEvent,
  AiServiceErrorEvent,
  AiServiceStartedEvent,
} from '../../src/event/lifecycle-events.ts';
import { InputGuardrailExecutedEvent, OutputGuardrailExecutedEvent } from '../../src/event/guardrail-events.ts';
import { AiServiceInvocationSummaryEvent } from '../../src/event/invocation-summary-event.ts';
import { AiServiceRequestIssuedEvent, AiServiceResponseReceivedEvent } from '../../src/event/model-events.ts';
import { ofEvent } from '../../src/event/of-event.ts';
import { ToolCompensatedEvent } from '../../src/event/tool-compensated-event.ts';
import { ToolExecutedEvent } from '../../src/event/tool-executed-event.ts';
import type { InvocationContext } from '../../src/tool/invocation-context.ts';
import type { ToolExecution } from '../../src/tool/types.ts';
import { watch } from '../chat/watch.ts';

const userMessage = { role: 'user', contents: [{ type: 'text', text: 'hello' }] } as const;
const invocation: InvocationContext = {
  invocationId: 'i1',
  userMessage,
  originalUserMessage: userMessage,
  parameters: new Map([['tenant', 7]]),
  timestamp: 5,
};
const request: ChatRequest = { messages: [userMessage] };
const response: ChatResponse = { aiMessage: { role: 'assistant', text: 'hi', toolExecutionRequests: [] }, finishReason: 'stop' };
const call = { id: '1', name: 'a', arguments: '{}' };
const text = (value: string): Content => ({ type: 'text', text: value });
const error = new Error('broken');

const executed = (patch: Partial<ConstructorParameters<typeof ToolExecutedEvent>[0]> = {}) =>
  new ToolExecutedEvent({ invocation, request: call, resultContents: [text('r')], isError: false, ...patch });

const execution: ToolExecution = {
  request: call,
  result: 'r',
  resultContents: [text('r')],
  hasFailed: false,
  startTime: 1,
  finishTime: 3,
  duration: 2,
};
const guardrail = { guardrail: 'noSecrets', result: { type: 'fatal', message: 'a secret' }, duration: 3 } as const;

interface Example {
  readonly type: string;
  readonly event: AiServiceEvent;
  readonly fields: object;
}

const examples: readonly Example[] = [
  {
    type: 'started',
    event: new AiServiceStartedEvent({ invocation, userMessage, systemMessage: { role: 'system', text: 's' } }),
    fields: { userMessage, systemMessage: { role: 'system', text: 's' } },
  },
  { type: 'requestIssued', event: new AiServiceRequestIssuedEvent({ invocation, request }), fields: { request } },
  {
    type: 'responseReceived',
    event: new AiServiceResponseReceivedEvent({ invocation, request, response }),
    fields: { request, response },
  },
  { type: 'toolExecuted', event: executed(), fields: { request: call, resultContents: [text('r')], isError: false } },
  {
    type: 'toolCompensated',
    event: new ToolCompensatedEvent({ invocation, execution, reason: 'toolError', error }),
    fields: { execution, reason: 'toolError', error },
  },
  {
    type: 'inputGuardrailExecuted',
    event: new InputGuardrailExecutedEvent({ invocation, userMessage, ...guardrail }),
    fields: { userMessage, ...guardrail },
  },
  {
    type: 'outputGuardrailExecuted',
    event: new OutputGuardrailExecutedEvent({ invocation, response, ...guardrail }),
    fields: { response, ...guardrail },
  },
  { type: 'completed', event: new AiServiceCompletedEvent({ invocation, result: 42 }), fields: { result: 42 } },
  { type: 'error', event: new AiServiceErrorEvent({ invocation, error }), fields: { error } },
  { type: 'cancelled', event: new AiServiceCancelledEvent({ invocation, reason: 'enough' }), fields: { reason: 'enough' } },
  {
    type: 'invocationSummary',
    event: new AiServiceInvocationSummaryEvent({ invocation, events: [executed()] }),
    fields: { events: [executed()] },
  },
];

describe.each(examples)('the event $type', ({ type, event, fields }) => {
  it('[S183] has its type, its invocation and its fields', () => {
    expect(event).toBeInstanceOf(AiServiceEvent);
    expect(event.type).toBe(type);
    expect(event.invocation).toBe(invocation);
    expect(event).toMatchObject(fields);
  });

  it('[S183] is copied by with(), which changes the copy alone', () => {
    const other = { ...invocation, invocationId: 'i2' };
    const copy = event.with({ invocation: other });
    expect(copy).not.toBe(event);
    expect(copy).toBeInstanceOf(event.constructor);
    expect(copy).toMatchObject({ type, ...fields });
    expect(copy.invocation).toBe(other);
    expect(event.invocation).toBe(invocation);
    expect(copy.with({ invocation })).toEqual(event);
  });

  it('is plain data for a log', () => {
    const json = JSON.parse(JSON.stringify(event)) as Record<string, unknown>;
    expect(json['type']).toBe(type);
    expect(json['invocation']).toMatchObject({ invocationId: 'i1', timestamp: 5, parameters: { tenant: 7 } });
    expect(Object.keys(json)).toEqual(expect.arrayContaining(Object.keys(fields)));
  });

  it('is plain data also when its invocation carries what JSON can not hold', () => {
    const circular: Record<string, unknown> = { n: 1n };
    circular['self'] = circular;
    const hostile = new Map<string, unknown>([
      ['circular', circular],
      [
        'throwing',
        Object.defineProperty({}, 'x', {
          enumerable: true,
          get: () => {
            throw new Error('no');
          },
        }),
      ],
      [
        'error',
        Object.defineProperty(new Error(), 'message', {
          get: () => {
            throw new Error('no');
          },
        }),
      ],
      [
        'proxy',
        new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error('no');
            },
          },
        ),
      ],
      ['bytes', new Uint8Array([1])],
    ]);
    const json = event.with({ invocation: { ...invocation, parameters: hostile } }).toJSON();
    expect(json).toMatchObject({ type, invocation: { parameters: { circular: { n: '1', self: '[Circular]' }, bytes: 'AQ==' } } });
    expect(JSON.parse(JSON.stringify(json))).toEqual(json);
  });
});

describe('the event of an executed tool', () => {
  it('[S161][S183] has the text of its result only where the result is one text', () => {
    expect(executed().resultText).toBe('r');
    expect(executed({ resultContents: [text('')] }).resultText).toBe('');
    const image: Content = { type: 'image', url: 'a' };
    for (const resultContents of [[], [image], [text('a'), text('b')], [text('a'), image]]) {
      const event = executed({ resultContents });
      expect(() => event.resultText).toThrow(/ a .*resultContents/);
      expect(event.resultContents).toEqual(resultContents);
    }
  });

  it('always has contents, however it was made', () => {
    expect(executed({ resultContents: undefined as never }).resultContents).toEqual([]);
  });

  it('[S184] tells whether it is an error, and throws where that was not reported', () => {
    expect(executed({ isError: true }).isError).toBe(true);
    expect(executed({ isError: false }).isError).toBe(false);
    const unreported = new ToolExecutedEvent({ invocation, request: call, resultContents: [] });
    expect(() => unreported.isError).toThrow(/ a .*not reported/);
    expect('isError' in unreported.toJSON()).toBe(false);
    expect(unreported.with({ isError: true }).isError).toBe(true);
  });

  it('carries the error, and tells it in its JSON', () => {
    const event = executed({ isError: true, error });
    expect(event.error).toBe(error);
    expect(event.toJSON()).toMatchObject({ isError: true, error: { name: 'Error', message: 'broken' } });
  });

  it('can be copied field by field', () => {
    const copy = executed().with({ resultContents: [text('redacted')] });
    expect(copy.resultText).toBe('redacted');
    expect(copy.request).toBe(call);
    expect(copy.isError).toBe(false);
  });
});

describe('the event of an undone execution', () => {
  it('has an error only where the undo failed', () => {
    const done = new ToolCompensatedEvent({ invocation, execution, reason: 'cancelled' });
    expect(done.error).toBeUndefined();
    expect('error' in done.toJSON()).toBe(false);
    const failed = done.with({ error });
    expect(failed).toMatchObject({ execution, reason: 'cancelled', error });
    expect(failed.toJSON()).toMatchObject({ reason: 'cancelled', error: { name: 'Error', message: 'broken' } });
  });

  it('tells in its JSON what the tool has returned, whatever that was', () => {
    const resultObject: Record<string, unknown> = { id: 12n, at: new Date(0) };
    resultObject['self'] = resultObject;
    const event = new ToolCompensatedEvent({ invocation, execution: { ...execution, resultObject }, reason: 'limit' });
    expect(event.toJSON()).toMatchObject({
      execution: { result: 'r', resultObject: { id: '12', at: '1970-01-01T00:00:00.000Z', self: '[Circular]' } },
    });
  });
});

describe('the events of guardrails', () => {
  it('tell in their JSON what was judged, and how', () => {
    const rewritten = new OutputGuardrailExecutedEvent({
      invocation,
      response,
      guardrail: 'shorten',
      result: { type: 'success', rewrittenText: 'h' },
      duration: 0,
    });
    expect(rewritten.toJSON()).toMatchObject({
      type: 'outputGuardrailExecuted',
      guardrail: 'shorten',
      result: { type: 'success', rewrittenText: 'h' },
      response: { aiMessage: { text: 'hi' } },
      duration: 0,
    });
  });
});

describe('ofEvent', () => {
  const all = examples.map(({ event }) => event);

  it('lets through the events of one class', () => {
    const { values, end } = watch(from(all).pipe(ofEvent(ToolExecutedEvent)));
    expect(values).toEqual([all[3]]);
    expect(end).toBe('complete');
    // Typed: the field of this class is known.
    expect(values.map(({ request: { name } }) => name)).toEqual(['a']);
  });

  it("takes the base class, and classes of one's own", () => {
    class Refunded extends AiServiceEvent {
      readonly type = 'refunded';
    }
    const own = new Refunded({ invocation });
    expect(watch(from([...all, own]).pipe(ofEvent(AiServiceEvent))).values).toHaveLength(all.length + 1);
    expect(watch(from([...all, own]).pipe(ofEvent(Refunded))).values).toEqual([own]);
  });
});
