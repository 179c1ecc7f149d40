import { EMPTY, NEVER, Observable, Subject, VirtualTimeScheduler, asyncScheduler, map, retry, throwError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { guardrail } from '../../src/chat/guardrail-result.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { LimitExceededError } from '../../src/service/service-errors.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import type { Recording } from '../../src/testing/recording.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import type { Tool } from '../../src/tool/types.ts';
import { answered, ways } from './each-way.ts';
import { expectValid, kept, outline, play, roomyMemory, type Played, type Script } from './support.ts';
import { playUndoing, rolledBack, toldUndone, undoLog } from './undo-log.ts';

const stopped = 'The tool was stopped: the time of the invocation is up.';
const again = retry<AiServiceStreamingEvent>(1);

/** A source that never ends, and when it was left. */
function endless() {
  const left: number[] = [];
  return { left, source: new Observable<never>(() => () => left.push(asyncScheduler.now())) };
}

function expectTimeUp(error: unknown, duration: number): void {
  expect(error).toBeInstanceOf(LimitExceededError);
  expect(error).toMatchObject({ limit: 'duration' });
  expect((error as Error).message).toBe(`The invocation has reached a limit: limits.duration is ${duration}.`);
}

/** Nothing came after the end, memory is valid, and another invocation goes on with it. */
function expectGoesOn({ memory, firedTypes }: Played): void {
  expect(firedTypes.filter((type) => ['completed', 'error', 'cancelled'].includes(type))).toHaveLength(1);
  expectValid(kept(memory));
  const before = outline(kept(memory));
  const next = play({ rounds: ['-z|'], chatMemory: memory! });
  expect(next.error).toBeUndefined();
  expect(outline(next.model.requests[0]!.messages)).toEqual([...before, 'user: hello']);
}

describe('limits.duration', () => {
  const limits = { duration: 10 };

  describe("(then: 'fail')", () => {
    it.each(ways)('ends an invocation by %s whose model takes longer, and stops the request', (way) => {
      const played = answered(way, { rounds: ['--t 90ms u|'], limits });
      expectTimeUp(played.error, 10);
      expect(played.model.subscriptions()).toEqual([`^${'-'.repeat(9)}!`]);
      expect(played.marbles).toBe(way === 'result' ? '----------#' : '--t-------#');
      expect(played.history).toEqual([]);
    });

    it('lets be what ends in time', () => {
      const played = play({ rounds: ['-A|', '---z|'], tools: [scriptedTool('a', '---r|')], limits });
      expect(played.marbles).toBe('-(A<a)%-*a>a--z($|)');
    });

    it.each<[string, (source: Observable<never>) => Partial<Script>]>([
      ['a system message', (source) => ({ systemMessage: () => source })],
      ['the retrieval', (source) => ({ contentRetriever: () => source })],
      ['an input guardrail', (source) => ({ inputGuardrails: [() => source] })],
      ['a tool provider', (source) => ({ toolProviders: [{ provideTools: () => source }] })],
      ['a dynamic tool provider', (source) => ({ toolProviders: [{ provideTools: () => source, isDynamic: true }] })],
      ['the transformer of requests', (source) => ({ chatRequestTransformer: () => source })],
      ['a memory that is read', (source) => ({ chatMemory: { ...roomyMemory(), messages: () => source } })],
    ])('ends what waits for %s, and lets go of it', (_, options) => {
      const { left, source } = endless();
      const played = play({ rounds: ['-t|'], limits, ...options(source) });
      expectTimeUp(played.error, 10);
      expect(played.marbles).toBe('----------#');
      expect(left).toEqual([10]);
      expect(played.model.requests).toEqual([]);
      expect(played.firedTypes).toEqual(['started', 'error']);
    });

    it('ends what waits for a judgement on the answer, which is then no part of memory', () => {
      const { left, source } = endless();
      const played = play({ rounds: ['-t|'], limits, outputGuardrails: [() => source] });
      expectTimeUp(played.error, 10);
      expect(left).toEqual([10]);
      expect(played.history).toEqual([]);
      expectGoesOn(played);
    });

    it('stops running tools, gives each call of the round a result, and ends', () => {
      const reasons: unknown[] = [];
      const slow = tool({
        name: 'a',
        execute: (_, { signal }) => {
          signal.addEventListener('abort', () => reasons.push(asyncScheduler.now()));
          return NEVER;
        },
      });
      const played = play({
        rounds: ['-t(ABC)|'],
        tools: [slow, scriptedTool('b', '-r|'), scriptedTool('c', 'r|')],
        toolConcurrency: 2,
        limits,
      });
      expectTimeUp(played.error, 10);
      expect(played.marbles).toBe('-t(A<aB<bC)(*b%)(>b<c*c)>c----(>a#)');
      expect(reasons).toEqual([10]);
      expect(played.history).toEqual(['user: hello', 'assistant: t [A B C]', `A! ${stopped}`, 'B: r', 'C: r']);
      expect(played.firedTypes.filter((type) => type === 'toolExecuted')).toHaveLength(3);
      expectGoesOn(played);
    });

    it.each([
      ['while the model still streams', '-(AB) 90ms t|'],
      ['when the model has ended', '-(AB)|'],
    ])('gives calls that wait for their turn a result, and tells of them in order: %s', (_, marbles) => {
      const waiting = scriptedTool('b', 'r|');
      const played = play({ rounds: [marbles], tools: [scriptedTool('a', ' 90ms r|'), waiting], toolConcurrency: 1, limits });
      expectTimeUp(played.error, 10);
      expect(waiting.contexts).toEqual([]);
      expect(played.history).toEqual(['user: hello', 'assistant: [A B]', `A! ${stopped}`, `B! ${stopped}`]);
      const ended = played.values.flatMap((event) => (event.type === 'afterToolExecution' ? [event.execution.request.id] : []));
      expect(ended.sort()).toEqual(['A', 'B']);
      expect(played.firedTypes.filter((type) => type === 'toolExecuted')).toHaveLength(2);
      expectGoesOn(played);
    });

    it('ends an invocation whose tool ignores its signal', () => {
      const deaf = tool({ name: 'a', execute: () => new Promise(() => undefined) });
      const played = play({ rounds: ['-A|'], tools: [deaf], limits });
      expect(played.marbles).toBe('-(A<a)%-------(>a#)');
      expectTimeUp(played.error, 10);
    });

    it('stops a hook before a tool, whose tool then does not run', () => {
      const { left, source } = endless();
      const a = scriptedTool('a', 'r|');
      const played = play({ rounds: ['-A|'], tools: [a], beforeToolExecution: () => source, limits });
      expectTimeUp(played.error, 10);
      expect(left).toEqual([10]);
      expect(a.contexts).toEqual([]);
    });

    it('waits no longer for a hook after a tool, whose result stands', () => {
      const { left, source } = endless();
      const played = play({ rounds: ['-A|'], tools: [scriptedTool('a', '-r|')], afterToolExecution: () => source, limits });
      expectTimeUp(played.error, 10);
      expect(left).toEqual([10]);
      expect(played.marbles).toBe('-(A<a)(*a%)-------(>a#)');
      expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r']);
    });

    it('starts no other round when it ends between two', () => {
      const slow = { ...roomyMemory(), add: () => timer(20) };
      const played = play({ rounds: ['-A|', '-z|'], tools: [scriptedTool('a', '-r|')], chatMemory: slow as never, limits });
      expectTimeUp(played.error, 10);
      expect(played.model.requests).toHaveLength(1);
    });

    it('does not keep back an answer that came in time while memory is written', () => {
      const slow = { ...roomyMemory(), add: () => timer(20) };
      const played = play({ rounds: ['-z|'], chatMemory: slow as never, limits });
      expect(played.marbles).toBe('-z--------------------($|)');
    });

    it('spans all rounds', () => {
      const tools = [scriptedTool('a', '---r|')];
      const played = play({ rounds: ['-A|', '-A|', '-A|', '-z|'], tools, limits });
      expectTimeUp(played.error, 10);
      expect(played.marbles.endsWith('(>a#)')).toBe(true);
      expect(played.model.requests).toHaveLength(2);
    });

    it('is counted from the turn on: waiting for another invocation on the same memory takes none of it', () => {
      const chatMemory = roomyMemory();
      const model = scriptedModel([' 30ms t|', '-----z|']);
      let second: Recording<AiServiceStreamingEvent> | undefined;
      runMarbles(({ expectEvents }) => {
        expectEvents(aiService({ model, chatMemory }).stream('first'));
        second = expectEvents(aiService({ model, chatMemory, limits }).stream('second'));
      });
      expect(second!.error).toBeUndefined();
      expect(second!.values.at(-1)!.type).toBe('finalResponse');
    });
  });

  describe('and compensation', () => {
    it('leaves a tool that can be undone to settle, stops the others, and undoes with the limit as its reason', () => {
      const log = undoLog();
      const played = playUndoing({
        rounds: ['-(AB)|'],
        tools: [log.undoable('a', ' 20ms r|'), scriptedTool('b', ' 90ms r|')],
        limits,
      });
      expectTimeUp(played.error, 10);
      expect(played.marbles).toBe('-(A<aB<b)%------->b----------*a(>a^a#)');
      expect(log.names()).toEqual(['a']);
      expect(toldUndone(played.values)).toEqual(['a: limit']);
      expect(played.history.slice(2)).toEqual([rolledBack('A', 'a limit was reached'), `B! ${stopped}`]);
      expectGoesOn(played);
    });

    it('waits for such a tool for a minute, where it has no time limit of its own', () => {
      const log = undoLog();
      const played = playUndoing({ rounds: ['-A|'], tools: [log.undoable('a', ' 199999ms r|')], limits });
      expectTimeUp(played.error, 10);
      expect(played.marbles).toBe('-(A<a)% 60007ms (>a#)');
      expect(log.names()).toEqual([]);
      expect(played.history.slice(2)).toEqual([`A! ${stopped}`]);
    });

    it('undoes what earlier rounds have done', () => {
      const log = undoLog();
      const played = playUndoing({ rounds: ['A|', ' 90ms t|'], tools: [log.undoable('a', 'r|')], limits });
      expectTimeUp(played.error, 10);
      expect(toldUndone(played.values)).toEqual(['a: limit']);
      expect(played.history).toEqual(['user: hello', 'assistant: [A]', rolledBack('A', 'a limit was reached')]);
    });
  });

  describe('and approval', () => {
    const careful = (name: string, marbles = '-r|'): Tool => ({ ...scriptedTool(name, marbles), needsApproval: () => true });

    it('does not count the time in which somebody is asked', () => {
      const options = { rounds: ['--A|', '--z|'], tools: [careful('a')], limits };
      const asked = play({ ...options, approveToolExecution: () => delayed(500, true) });
      expect(asked.error).toBeUndefined();
      expect(asked.history.at(-1)).toBe('assistant: z');
    });

    it.each([
      [6, true],
      [8, false],
    ])('goes on counting afterwards: a tool that then takes %i ms is in time: %s', (ms, isInTime) => {
      const played = play({
        rounds: ['--A|', 'z|'],
        tools: [careful('a', ` ${ms}ms (r|)`)],
        approveToolExecution: () => delayed(500, true),
        limits,
      });
      expect(played.error === undefined).toBe(isInTime);
    });

    it('stands still while one of several is asked about', () => {
      const waits: Record<string, number> = { A: 20, B: 50, C: 35 };
      const played = play({
        rounds: ['-A---B---C|', '-z|'],
        tools: ['a', 'b', 'c'].map((name) => careful(name)),
        approveToolExecution: ({ id }) => delayed(waits[id]!, true),
        // One before the first is asked about, two for the last tool, two for the answer.
        limits: { duration: 6 },
      });
      expect(played.error).toBeUndefined();
      expect(played.history.at(-1)).toBe('assistant: z');
    });

    it('and a failure leave all of its time to an invocation that is subscribed to again', () => {
      const lost = { marbles: '----#', error: new Error('lost') };
      const played = play({
        rounds: ['---A|', lost, '-------z|'],
        tools: [careful('a', '-r|')],
        approveToolExecution: () => delayed(20, true),
        limits,
        pipe: again,
      });
      expect(played.error).toBeUndefined();
    });

    it('counts once more when the last of several was denied', () => {
      const played = play({
        rounds: ['-(AB)|', ' 90ms z|'],
        tools: [careful('a'), careful('b')],
        approveToolExecution: ({ id }) => delayed(id === 'A' ? 20 : 30, false),
        limits,
      });
      expectTimeUp(played.error, 10);
    });

    it('of calls that need none counts as ever', () => {
      const unneeded: Tool = { ...scriptedTool('a', ' 90ms r|'), needsApproval: () => delayed(5, false) };
      const played = play({ rounds: ['-A|'], tools: [unneeded], approveToolExecution: () => true, limits });
      expect(played.marbles).toBe('-A%---<a---(>a#)');
    });

    it('by decideToolCall does not count either', () => {
      const model = scriptedModel(['-A|', '-z|']);
      let watched: Recording<AiServiceStreamingEvent> | undefined;
      runMarbles(({ expectEvents, at }) => {
        const run = aiService({ model, tools: [careful('a')], limits }).start('hello');
        watched = expectEvents(run.events$);
        at(200, () => run.decideToolCall('A', true));
      });
      expect(watched!.error).toBeUndefined();
      expect(watched!.drawing()).toBe('-(A!a)% 197ms <a*a>az($|)');
    });
  });

  describe("(then: 'answer')", () => {
    const answering = { duration: 10, then: 'answer' } as const;
    const limitIn = ({ fired }: Played) =>
      (fired.find(({ type }) => type === 'completed') as { result?: { limit?: string } } | undefined)?.result?.limit;
    const choices = ({ model }: Played) => model.requests.map(({ toolChoice }) => toolChoice);

    it('stops the tools and asks for an answer with what there is', () => {
      const played = play({
        rounds: ['-t(AB)|', '---z|'],
        tools: [scriptedTool('a', ' 90ms r|'), scriptedTool('b', '-r|')],
        limits: answering,
      });
      expect(played.error).toBeUndefined();
      expect(played.history).toEqual(['user: hello', 'assistant: t [A B]', `A! ${stopped}`, 'B: r', 'assistant: z']);
      expect(choices(played)).toEqual([undefined, 'none']);
      expect(limitIn(played)).toBe('duration');
      expectGoesOn(played);
    });

    it('gives up a model that still writes, tells those who listen to drop its text, and asks once more', () => {
      const played = play({ rounds: ['-t 90ms u|', '---z|'], tools: [scriptedTool('a', 'r|')], limits: answering });
      expect(played.marbles).toBe('-t--------&--z($|)');
      expect(played.values[1]).toMatchObject({ type: 'roundRestarted', round: 1, error: { limit: 'duration' } });
      expect(played.model.subscriptions()[0]).toBe(`^${'-'.repeat(9)}!`);
      expect(choices(played)).toEqual([undefined, 'none']);
      expect(played.history).toEqual(['user: hello', 'assistant: z']);
      expect(limitIn(played)).toBe('duration');
    });

    it('can take back no text that text() has shown: then this is the answer', () => {
      expect(answered('text', { rounds: ['-t 90ms u|', '---z|'], limits: answering }).marbles).toBe('-t--------|');
    });

    it('keeps the text beside calls that have run', () => {
      const played = play({ rounds: ['-tA 90ms u|', '---z|'], tools: [scriptedTool('a', '-r|')], limits: answering });
      expect(played.marbles).toBe('-t(A<a)*a>a--------z($|)');
      expect(played.history).toEqual(['user: hello', 'assistant: t [A]', 'A: r', 'assistant: z']);
    });

    it('lets the last request take its time', () => {
      const played = play({ rounds: [' 50ms t|', ' 90ms z|'], limits: answering });
      expect(played.marbles).toBe('----------& 89ms z($|)');
    });

    it('asks but once, and then for an answer, where the time was up before the first request', () => {
      const played = play({
        rounds: ['-z|'],
        tools: [scriptedTool('a', 'r|')],
        systemMessage: () => delayed(20, 'be kind'),
        limits: answering,
      });
      expect(choices(played)).toEqual(['none']);
      expect(limitIn(played)).toBe('duration');
    });

    it('asks but once, and then for an answer, where the time was up while the request was made', () => {
      const played = play({
        rounds: ['-z|'],
        tools: [scriptedTool('a', 'r|')],
        chatRequestTransformer: (request) => delayed(20, request),
        limits: answering,
      });
      expect(choices(played)).toEqual(['none']);
      expect(limitIn(played)).toBe('duration');
      expect(played.firedTypes.filter((type) => type === 'requestIssued')).toHaveLength(1);
    });

    it.each([
      ['60 s', {}, 60_010],
      ['the time of a tool', { toolTimeout: 500 }, 510],
    ])('gives what hangs before the first request %s to settle, and fails then', (_, options, end) => {
      const { left, source } = endless();
      const played = play({ rounds: ['-z|'], systemMessage: () => source, limits: answering, ...options });
      expectTimeUp(played.error, 10);
      expect(left).toEqual([end]);
      expect(played.model.requests).toEqual([]);
    });

    it('lets a judgement end, and a guardrail ask again', () => {
      const played = play({
        rounds: ['-y|', '-z|'],
        outputGuardrails: [({ attempt }) => delayed(20, attempt === 1 ? guardrail.retry('bad') : guardrail.success())],
        limits: answering,
      });
      expect(played.error).toBeUndefined();
      expect(played.history).toEqual(['user: hello', 'assistant: z']);
    });

    it('lets a tool settle that can be undone', () => {
      const log = undoLog();
      const played = playUndoing({ rounds: ['-A|', '-z|'], tools: [log.undoable('a', ' 20ms r|')], limits: answering });
      expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
      expect(log.names()).toEqual([]);
    });

    it.each(ways)('ends by %s in an answer', (way) => {
      const played = answered(way, { rounds: ['-A|', '-z|'], tools: [scriptedTool('a', ' 90ms r|')], limits: answering });
      expect(played.result).toMatchObject({ content: 'z', limit: 'duration' });
      expect(played.history).toEqual(['user: hello', 'assistant: [A]', `A! ${stopped}`, 'assistant: z']);
    });
  });

  describe('of an invocation that is subscribed to again after an error', () => {
    it('begins anew', () => {
      const lost = { marbles: '-----#', error: new Error('lost') };
      const played = play({ rounds: [lost, '-------z|'], limits, pipe: again });
      expect(played.marbles).toBe('------------z($|)');
    });

    it('that was the limit itself, too: it goes on behind the last committed round', () => {
      const a = scriptedTool('a', '-r|');
      const played = play({ rounds: ['-A|', ' 90ms t|', '-z|'], tools: [a], limits, pipe: again });
      expect(played.error).toBeUndefined();
      expect(a.contexts).toHaveLength(1);
      expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
    });

    it('that ended a judgement: the model is asked again, and its next answer is judged', () => {
      let judged = 0;
      const played = play({
        rounds: ['-y|', '-z|'],
        outputGuardrails: [() => (++judged === 1 ? NEVER : guardrail.success())],
        limits,
        pipe: again,
      });
      expect(played.error).toBeUndefined();
      expect(judged).toBe(2);
      expect(played.history).toEqual(['user: hello', 'assistant: z']);
    });
  });

  it('of start() is told to all who watch, sooner or later', () => {
    let live: Recording<AiServiceStreamingEvent> | undefined;
    let late: Recording<AiServiceStreamingEvent> | undefined;
    runMarbles(({ expectEvents, record }) => {
      const run = aiService({ model: scriptedModel(['-t 90ms u|']), limits }).start('hello');
      live = expectEvents(run.events$).toBe('-t--------#');
      late = expectEvents(run.events$, ' 50ms ^').toBe(' 50ms (t#)');
      record(run.result$, String, ' 50ms ^').toBe(' 50ms #');
    });
    expectTimeUp(live!.error, 10);
    expect(late!.error).toBe(live!.error);
  });

  it('bounds a service that is a tool by itself, too: the outer model is told', () => {
    const inner = aiService({ model: scriptedModel([' 90ms t|']), limits });
    const played = play({
      rounds: ['-A|', '-z|'],
      script: { calls: { A: { arguments: '{"input":"hey"}' } } },
      tools: [inner.asTool({ name: 'a' })],
      toolExecutionErrorHandler: ({ message }) => message,
    });
    expect(played.history[2]).toBe('A! The invocation has reached a limit: limits.duration is 10.');
  });

  describe('leaves no timer behind', () => {
    it.each<[string, Script]>([
      ['an answer', { rounds: ['A|', '-z|'], tools: [tool({ name: 'a', execute: () => 'r' })] }],
      ['a failure of the model', { rounds: ['-#'] }],
      ['a failure of a tool', { rounds: ['-A|'], tools: [scriptedTool('a', '#')] }],
      ['a failure before the first request', { rounds: [], systemMessage: () => throwError(() => new Error('lost')) }],
      ['a refused answer', { rounds: ['-t|'], outputGuardrails: [() => guardrail.failure('bad')] }],
      ['an unsubscribe', { rounds: ['-t-|'], subscription: '^-!' }],
      ['an unsubscribe before anything came', { rounds: ['-t|'], systemMessage: () => NEVER, subscription: '^-!' }],
      ['a resumed invocation', { rounds: ['-#', '-z|'], pipe: again }],
      [
        'an approval',
        {
          rounds: ['A|', '-z|'],
          tools: [tool({ name: 'a', needsApproval: true, execute: () => 'r' })],
          approveToolExecution: () => delayed(3, true),
        },
      ],
      [
        'an unsubscribe while somebody is asked',
        {
          rounds: ['A|', '-z|'],
          tools: [tool({ name: 'a', needsApproval: true, execute: () => 'r' })],
          approveToolExecution: () => NEVER,
          subscription: '^--!',
        },
      ],
      [
        'a failure while somebody is asked',
        {
          rounds: ['A-#'],
          tools: [tool({ name: 'a', needsApproval: true, execute: () => 'r' })],
          approveToolExecution: () => NEVER,
        },
      ],
    ])('after %s', (_, options) => {
      const scheduler = new VirtualTimeScheduler();
      const played = play({ ...options, limits: { duration: 5000 }, scheduler });
      expect(played.firedTypes[0]).toBe('started');
      expect(scheduler.actions).toEqual([]);
    });

    it('after the time was up, also where tools were left to settle', () => {
      const scheduler = new VirtualTimeScheduler();
      const booked = new Subject<string>();
      const booking = tool({ name: 'a', execute: () => booked, compensate: () => EMPTY });
      const errors: unknown[] = [];
      aiService({ model: scriptedModel(['A']), tools: [booking], compensateOnToolErrors: true, limits, scheduler })
        .stream('hello')
        .subscribe({ error: (error: unknown) => errors.push(error) });
      scheduler.maxFrames = 20;
      scheduler.flush();
      expect(errors).toEqual([]);
      booked.next('r');
      booked.complete();
      expectTimeUp(errors[0], 10);
      expect(scheduler.actions).toEqual([]);
    });
  });

  it.each([2 ** 31, Number.MAX_SAFE_INTEGER, Infinity])(
    'of %d ms, more than a timer can hold, is never up, and sets none',
    (duration) => {
      const scheduler = new VirtualTimeScheduler();
      const model = scriptedModel(['t']);
      const running = aiService({ model, limits: { duration }, scheduler }).start('hello');
      expect(scheduler.actions).toEqual([]);
      running.cancel();
      expect(play({ rounds: [' 999ms t|'], limits: { duration } }).error).toBeUndefined();
    },
  );
});

/** Emits one value after so many ms. */
function delayed<T>(ms: number, value: T): Observable<T> {
  return timer(ms).pipe(map(() => value));
}
