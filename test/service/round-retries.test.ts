import { NEVER, Observable, concat, of, retry, take, takeWhile, throwError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ChatModelError } from '../../src/chat/chat-model-error.ts';
import type { ChatModel, ChatModelEvent } from '../../src/chat/chat-model.ts';
import { guardrail } from '../../src/chat/guardrail-result.ts';
import { aiService } from '../../src/service/ai-service.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import type { Tool } from '../../src/tool/types.ts';
import { answered, ways } from './each-way.ts';
import { expectValid, kept, outline, play } from './support.ts';
import { playUndoing, rolledBack, toldUndone, undoLog } from './undo-log.ts';

const a = (marbles = '-r|') => scriptedTool('a', marbles);
const careful = (): Tool => ({ ...a(), needsApproval: () => true });
const broken = (kind: ChatModelError['kind'], retryable: boolean) =>
  new ChatModelError(`scripted: ${kind}`, { kind, provider: 'scripted', retryable });
const piece: ChatModelEvent = { type: 'partialToolCall', index: 0, id: 'A', name: 'a', partialArguments: '{' };
const events = { ':': piece };

describe('roundRetries', () => {
  it('asks once more for a round whose stream broke after text went out, and tells those who listen to drop it', () => {
    const played = play({ rounds: ['-t-#', '-u|'], roundRetries: 1 });
    expect(played.marbles).toBe('-t-&u($|)');
    const [shown, restarted, ...rest] = played.values;
    expect(shown).toMatchObject({ type: 'partialResponse', text: 't', round: 1 });
    expect(restarted).toMatchObject({ type: 'roundRestarted', round: 1, error: { kind: 'interrupted' } });
    expect(restarted!.invocation).toBe(shown!.invocation);
    expect(rest.map(({ type, round }) => [type, round])).toEqual([
      ['partialResponse', 1],
      ['finalResponse', 1],
    ]);
  });

  it('sends the same request, and leaves nothing of the broken answer in it or in memory', () => {
    const played = play({ rounds: ['A|', '-t-#', '-u|'], tools: [a()], roundRetries: 1 });
    const [, broken, again] = played.model.requests;
    expect(again).toEqual(broken);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: u']);
  });

  it('is off by default', () => {
    const played = play({ rounds: ['-t-#', '-u|'] });
    expect(played.marbles).toBe('-t-#');
    expect(played.model.requests).toHaveLength(1);
  });

  it('asks so often, and then fails with the last error', () => {
    const rounds = ['-t#', { marbles: '-u#', error: broken('network', true) }, { marbles: '-v#', error: broken('server', true) }];
    const played = play({ rounds, roundRetries: 2 });
    expect(played.marbles).toBe('-t&u&v#');
    expect(played.error).toMatchObject({ kind: 'server' });
    expect(played.history).toEqual([]);
  });

  it('counts for each round anew', () => {
    const rounds = ['-t#', '-tA|', '-u#', '-uA|', '-v#', '-z|'];
    const played = play({ rounds, tools: [a('r|')], roundRetries: 1 });
    expect(played.error).toBeUndefined();
    expect(played.values.flatMap((event) => (event.type === 'roundRestarted' ? [event.round] : []))).toEqual([1, 2, 3]);
    expectValid(kept(played.memory));
  });

  it('counts anew for the answer that a guardrail wants', () => {
    const played = play({
      rounds: ['-t#', '-y|', '-u#', '-z|'],
      outputGuardrails: [({ attempt }) => (attempt === 1 ? guardrail.retry('bad') : guardrail.success())],
      roundRetries: 1,
    });
    expect(played.error).toBeUndefined();
    expect(played.history).toEqual(['user: hello', 'assistant: z']);
  });

  it('counts anew when the invocation is subscribed to again', () => {
    const rounds = ['-t#', '-u#', '-v#', '-z|'];
    const played = play({ rounds, roundRetries: 1, pipe: retry<AiServiceStreamingEvent>(1) });
    expect(played.error).toBeUndefined();
    expect(played.marbles).toBe('-t&u&v&z($|)');
  });

  it('keeps a forced choice of tools: it is still the first request', () => {
    const played = play({
      rounds: ['-t#', '-u|'],
      tools: [a()],
      roundRetries: 1,
      call: { chatRequest: { toolChoice: 'required' } },
    });
    expect(played.model.requests.map(({ toolChoice }) => toolChoice)).toEqual(['required', 'required']);
  });

  it('tells those who look on of each request, and of the one answer', () => {
    const played = play({ rounds: ['-t#', '-u|'], roundRetries: 1 });
    expect(played.firedTypes).toEqual(['started', 'requestIssued', 'requestIssued', 'responseReceived', 'completed']);
  });

  it("leaves the provider's own retries alone, and is not used up by them", () => {
    const retried: ChatModelEvent = { type: 'retry', attempt: 1, delay: 5, error: new Error('busy') };
    const played = play({ rounds: ['@@t#', '@u|'], script: { events: { '@': retried } }, roundRetries: 1 });
    expect(played.marbles).toBe('@@t(&@)u($|)');
  });

  it('asks no more once the consumer has left at the news', () => {
    const leave = takeWhile<AiServiceStreamingEvent>(({ type }) => type !== 'roundRestarted');
    const played = play({ rounds: ['-t-#', '-u|'], roundRetries: 1, pipe: leave });
    expect(played.marbles).toBe('-t-|');
    expect(played.model.requests).toHaveLength(1);
    expect(played.firedTypes.at(-1)).toBe('cancelled');
  });

  it('goes on without recursion where a model breaks at once, ten thousand times', () => {
    let requests = 0;
    const model: ChatModel = {
      provider: 'broken',
      chat: () => {
        requests++;
        return concat(
          of<ChatModelEvent>({ type: 'partialResponse', text: 't' }),
          throwError(() => new Error('lost')),
        );
      },
    };
    const errors: unknown[] = [];
    aiService({ model, roundRetries: 10_000 })
      .stream('hello')
      .subscribe({ error: (error: unknown) => errors.push(error) });
    expect(requests).toBe(10_001);
    expect(errors).toEqual([new Error('lost')]);
  });

  it('starts the object of partial() over', () => {
    const texts = { '1': '{"a":"x', '2': '{"a":"y', '3': 'z"}' };
    const model = scriptedModel(['-1-#', '-2-3|'], {
      events: Object.fromEntries(
        Object.entries(texts).map(([symbol, text]) => [symbol, { type: 'partialResponse', text } satisfies ChatModelEvent]),
      ),
    });
    const shown: unknown[] = [];
    runMarbles(({ record }) => {
      const service = aiService({ model, output: z.object({ a: z.string() }), roundRetries: 1 });
      record(service.partial('hello'), (value) => {
        shown.push(value);
        return 'o';
      });
    });
    expect(shown).toEqual([{ a: 'x' }, { a: 'y' }, { a: 'yz' }, { a: 'yz' }]);
  });
});

describe('a round is asked for again', () => {
  it.each<[string, unknown]>([
    ['a connection that was cut', undefined],
    ['an error that the provider calls worth a retry', broken('overloaded', true)],
    ['an error that is no ChatModelError', new Error('lost')],
    ['what is no error', 'lost'],
  ])('after %s', (_, error) => {
    const played = play({ rounds: [{ marbles: '-t-#', ...(error !== undefined && { error }) }, '-u|'], roundRetries: 1 });
    expect(played.error).toBeUndefined();
    expect(played.model.requests).toHaveLength(2);
  });

  it.each<[string, unknown]>([
    ['the authentication failed', broken('authentication', false)],
    ['the answer was filtered', broken('contentFilter', false)],
    ['what came can not be read', broken('malformedResponse', false)],
  ])('not where that is in vain: %s', (_, error) => {
    const played = play({ rounds: [{ marbles: '-t-#', error }, '-u|'], roundRetries: 3 });
    expect(played.marbles).toBe('-t-#');
    expect(played.error).toBe(error);
  });

  it('not where the model ended without a response, or sent what is no event', () => {
    const ended: ChatModel = { provider: 'odd', chat: () => of<ChatModelEvent>({ type: 'partialResponse', text: 't' }) };
    const nonsense: ChatModel = { provider: 'odd', chat: () => of<ChatModelEvent>({ type: 'completeResponse' } as never) };
    for (const model of [ended, nonsense]) {
      const errors: unknown[] = [];
      aiService({ model, roundRetries: 3 })
        .stream('hello')
        .subscribe({ error: (error: unknown) => errors.push(error) });
      expect(errors).toMatchObject([{ kind: 'malformedResponse', retryable: false }]);
    }
  });

  it.each<[string, Parameters<typeof play>[0]]>([
    ['runs', { rounds: ['-tA-#'], tools: [a('-----r|')] }],
    ['has run', { rounds: ['-tA---#'], tools: [a('r|')] }],
    ['has failed', { rounds: ['-tA---#'], tools: [a('#')], toolExecutionErrorHandler: () => 'broken' }],
    ['is let in by its hook', { rounds: ['-tA-#'], tools: [a()], beforeToolExecution: () => timer(5) }],
  ])('never once one of its tools %s', (_, options) => {
    const played = play({ ...options, roundRetries: 3 });
    expect(played.error).toBeInstanceOf(ChatModelError);
    expect(played.model.requests).toHaveLength(1);
    expectValid(kept(played.memory));
  });

  it('never once one of its calls was answered without running', () => {
    const denied = play({
      rounds: ['-tA-#'],
      tools: [careful()],
      approveToolExecution: () => false,
      roundRetries: 3,
    });
    expect(denied.error).toBeInstanceOf(ChatModelError);
    const unknown = play({ rounds: ['-tX-#'], hallucinatedToolNameStrategy: () => 'there is no x', roundRetries: 3 });
    expect(unknown.error).toBeInstanceOf(ChatModelError);
  });

  it('while its calls are still being written', () => {
    const played = play({ rounds: ['-t:-#', '-A|', '-z|'], script: { events }, tools: [a()], roundRetries: 1 });
    expect(played.marbles).toBe('-t:-&(A<a)(*a%)>az($|)');
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });

  it('while one of its calls waits for an approval: that is dropped, and asked for again', () => {
    const asked: AbortSignal[] = [];
    let left = 0;
    const played = play({
      rounds: ['-tA-#', '-A|', '-z|'],
      tools: [careful()],
      approveToolExecution: (_, { signal }) => {
        asked.push(signal);
        return asked.length === 1 ? new Observable<boolean>(() => () => left++) : true;
      },
      roundRetries: 1,
    });
    expect(played.marbles).toBe('-t(A!a)-&(A!a<a)(*a%)>az($|)');
    expect(left).toBe(1);
    expect(asked.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });

  it('while it is still being found out whether a call needs an approval', () => {
    let asked = 0;
    const wondering: Tool = { ...a(), needsApproval: () => (++asked === 1 ? NEVER : false) };
    const played = play({ rounds: ['-tA-#', '-A|', '-z|'], tools: [wondering], roundRetries: 1 });
    expect(played.marbles).toBe('-tA-&(A<a)(*a%)>az($|)');
  });

  it('and a call that was dropped with it counts for no limit', () => {
    let asked = 0;
    const options = {
      rounds: ['-tA-#', '-A|', '-z|'],
      tools: [careful()],
      approveToolExecution: () => (++asked % 2 === 1 ? NEVER : of(true)),
      roundRetries: 1,
    };
    expect(play({ ...options, limits: { toolCalls: 1 } }).error).toBeUndefined();
    expect(play({ ...options, limits: { identicalToolCalls: 1 } }).error).toBeUndefined();
  });

  it('not after its limit was hit', () => {
    const played = play({ rounds: ['-tA-|', '-u|'], tools: [a()], limits: { toolCalls: 0 }, roundRetries: 1 });
    expect(played.error).toMatchObject({ limit: 'toolCalls' });
    expect(played.model.requests).toHaveLength(1);
  });

  it('within the time of the invocation, which goes on', () => {
    const played = play({ rounds: ['----#', '----#', '----#', '----u|'], roundRetries: 9, limits: { duration: 10 } });
    expect(played.marbles).toBe('----&---&-#');
    expect(played.error).toMatchObject({ limit: 'duration' });
  });

  it('also when it is the last one, that is to answer without tools', () => {
    const played = play({
      rounds: ['A|', '-t#', '-z|'],
      tools: [a('r|')],
      maxToolCallingRoundTrips: 1,
      limits: { then: 'answer' },
      roundRetries: 1,
    });
    expect(played.model.requests.map(({ toolChoice }) => toolChoice)).toEqual([undefined, 'none', 'none']);
    expect(played.history.at(-1)).toBe('assistant: z');
  });
});

describe('what was shown', () => {
  const text = ['-t-#', '-u|'];
  const others = ['-~:-#', '-u|'];

  it('can be taken back in stream() and result()', () => {
    expect(answered('stream', { rounds: text, roundRetries: 1 }).marbles).toBe('-t-&u($|)');
    const played = answered('result', { rounds: text, roundRetries: 1 });
    expect(played.marbles).toBe('-----(r|)');
    expect(played.result).toMatchObject({ content: 'u' });
  });

  it.each(['text', 'tokenStream'] as const)('can not be taken back in %s(): the invocation fails', (way) => {
    const played = answered(way, { rounds: text, roundRetries: 1 });
    expect(played.marbles).toBe('-t-#');
    expect(played.error).toMatchObject({ kind: 'interrupted' });
    expect(played.model.requests).toHaveLength(1);
  });

  it.each([
    ['text', '-----u|'],
    ['tokenStream', '-~:--u($|)'],
  ] as const)('is nothing in %s() while no text has gone out, but thoughts and pieces of calls', (way, marbles) => {
    const played = answered(way, { rounds: others, script: { events }, roundRetries: 1 });
    expect(played.marbles).toBe(marbles);
    expect(played.history).toEqual(['user: hello', 'assistant: u']);
  });

  it.each(['text', 'tokenStream'] as const)('of an earlier round does not matter in %s()', (way) => {
    const played = answered(way, { rounds: ['-tA|', '-#', '-u|'], tools: [a('r|')], roundRetries: 1 });
    expect(played.error).toBeUndefined();
    expect(played.history.at(-1)).toBe('assistant: u');
  });

  it.each(ways)('is nothing in %s() where output guardrails hold it back', (way) => {
    const played = answered(way, { rounds: text, outputGuardrails: [() => guardrail.success()], roundRetries: 1 });
    expect(played.error).toBeUndefined();
    expect(played.model.requests).toHaveLength(2);
    expect(played.history).toEqual(['user: hello', 'assistant: u']);
  });
});

describe('start()', () => {
  const started = (
    rounds: readonly string[],
    watch: (
      invocation: ReturnType<ReturnType<typeof aiService>['start']>,
      kit: Parameters<Parameters<typeof runMarbles>[0]>[0],
    ) => void,
    options: Partial<Parameters<typeof aiService>[0]> = {},
  ) => {
    const model = scriptedModel(rounds, { events });
    runMarbles((kit) => {
      const service = aiService({ tools: [careful()], ...options, model, roundRetries: 1 });
      watch(service.start('hello'), kit);
    });
    return model;
  };
  const told = (events: readonly AiServiceStreamingEvent[]) =>
    events.map((event) => ('text' in event ? `${event.type} ${event.text}` : event.type));

  it('asks again while nobody was shown text who can not be told', () => {
    const model = started(['-t-#', '-u|'], ({ events$, result$ }, { expectEvents, record }) => {
      expectEvents(events$).toBe('-t-&u($|)');
      record(result$, ({ content }) => content as string).toBe('-----(u|)');
    });
    expect(model.requests).toHaveLength(2);
  });

  it.each([
    ['is shown it', '^'],
    ['was shown it, and has left', '^-!'],
    ['was shown it late', '--^'],
  ])('does not where a subscriber of text$ %s', (_, subscription) => {
    const model = started(['-t-#', '-u|'], ({ events$, text$ }, { expectEvents, record }) => {
      expectEvents(events$).toBe('-t-#');
      record(text$, String, subscription);
    });
    expect(model.requests).toHaveLength(1);
  });

  it('does not where one was shown it, though another was shown an earlier round since', () => {
    const model = started(
      ['-tB|', '-u---#', '-z|'],
      ({ events$, text$ }, { expectEvents, record }) => {
        expectEvents(events$);
        record(text$);
        record(text$.pipe(take(1)), String, '------^');
      },
      { tools: [scriptedTool('b', 'r|')] },
    );
    expect(model.requests).toHaveLength(2);
  });

  it('does where a subscriber of text$ was shown nothing but earlier rounds', () => {
    const model = started(
      ['-tB|', '-~--#', '-z|'],
      ({ text$ }, { record }) => {
        record(text$).toBe('-t------z|');
      },
      { tools: [scriptedTool('b', 'r|')] },
    );
    expect(model.requests).toHaveLength(3);
  });

  it('tells late subscribers that the round was asked for again, and nothing of what was dropped', () => {
    started(['-~t:A-#', '-u-v|'], ({ events$, text$ }, { expectEvents, record, at }) => {
      const late = expectEvents(events$, '--------^');
      record(text$, String, '--------^').toBe('--------uv|');
      at(50, () =>
        expect(told(late.values)).toEqual(['roundRestarted', 'partialResponse u', 'partialResponse v', 'finalResponse']),
      );
    });
  });

  it('answers no approval of a call that was dropped, but that of the call that took its place', () => {
    const answers: boolean[] = [];
    started(['-A-#', '---A|', '-z|'], ({ events$, decideToolCall, cancelToolCall }, { expectEvents, at }) => {
      expectEvents(events$).toBe('-(A!a)-&--(A!a)%<a*a>az($|)');
      at(4, () => answers.push(decideToolCall('A', true), cancelToolCall('A')));
      at(8, () => answers.push(decideToolCall('A', true)));
    });
    expect(answers).toEqual([false, false, true]);
  });
});

describe('and compensation', () => {
  const log = undoLog();

  it('undoes nothing when a round is asked for again', () => {
    const played = playUndoing({ rounds: ['A|', '-t#', '-z|'], tools: [log.undoable('a', 'r|')], roundRetries: 1 });
    expect(log.names()).toEqual([]);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });

  it('undoes what earlier rounds have done when no retry is left', () => {
    const played = playUndoing({ rounds: ['A|', '-t#', '-u#'], tools: [log.undoable('a', 'r|')], roundRetries: 1 });
    expect(toldUndone(played.values)).toEqual(['a: modelError']);
    expect(outline(kept(played.memory))).toEqual(['user: hello', 'assistant: [A]', rolledBack('A', 'the model failed')]);
  });
});
