import { NEVER, asyncScheduler, concatMap, first, map, takeUntil, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatModel } from '../../src/chat/chat-model.ts';
import type { ChatMessage } from '../../src/chat/message.ts';
import { toObservable } from '../../src/chat/value.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { InvocationCancelledError } from '../../src/service/service-errors.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import type { ToolContext } from '../../src/tool/types.ts';
import { abortListeners } from './abort-listeners.ts';
import { expectValid, kept, neutral, outline, play, roomyMemory } from './support.ts';

const twoRounds = ['-t-A--B--|', '-z|'];
const twoTools = () => [scriptedTool('a', '-----------r|'), scriptedTool('b', '--r|')];
const lifecycleOf = (types: readonly string[]) =>
  types.filter((type) => ['started', 'completed', 'cancelled', 'error'].includes(type));

/** Plays an invocation whose signal is aborted at a frame. */
function aborted(frame: number, reason: unknown = 'enough', rounds: readonly string[] = twoRounds) {
  const controller = new AbortController();
  const listeners = abortListeners(controller.signal);
  const tools = twoTools();
  const played = play({
    rounds,
    tools,
    call: { signal: controller.signal },
    meanwhile: { [frame]: () => controller.abort(reason) },
  });
  return { ...played, tools, listeners };
}

describe('the end', () => {
  it('[S14] has the memory written and Completed fired before the final response is emitted', () => {
    const chatMemory = roomyMemory();
    const fired: string[] = [];
    const seen: unknown[] = [];
    runMarbles(({ record }) => {
      const service = aiService({ model: scriptedModel(['-t|']), chatMemory, listeners: [({ type }) => fired.push(type)] });
      record(service.stream('hello'), (event) => {
        if (event.type === 'finalResponse') seen.push(outline(kept(chatMemory)), [...fired]);
        return 'x';
      }).toBe('-x(x|)');
    });
    expect(seen).toEqual([
      ['user: hello', 'assistant: t'],
      ['started', 'requestIssued', 'responseReceived', 'completed', 'invocationSummary'],
    ]);
  });

  it('is no cancel when the consumer leaves with the final response', () => {
    const played = play({ rounds: ['-t|'], pipe: first(({ type }) => type === 'finalResponse') });
    expect(lifecycleOf(played.firedTypes)).toEqual(['started', 'completed']);
  });

  it('can no longer be cancelled by a signal', () => {
    const played = aborted(30);
    expect(played.marbles.endsWith('z($|)')).toBe(true);
    expect(lifecycleOf(played.firedTypes)).toEqual(['started', 'completed']);
  });

  it('is no cancel when the signal is aborted by whoever gets the final response', () => {
    const controller = new AbortController();
    const played = play({
      rounds: ['-t|'],
      call: { signal: controller.signal },
      pipe: (source) => {
        source.subscribe({ next: ({ type }) => type === 'finalResponse' && controller.abort(), error: () => undefined });
        return NEVER;
      },
    });
    expect(lifecycleOf(played.firedTypes)).toEqual(['started', 'completed']);
    expect(controller.signal.aborted).toBe(true);
  });
});

describe('an aborted signal', () => {
  it('[G22] ends the stream with one error that can be told from others, and gives the reason as its cause', () => {
    const reason = new Error('the user left');
    const played = aborted(2, reason);
    expect(played.marbles).toBe('-t#');
    expect(played.error).toBeInstanceOf(InvocationCancelledError);
    expect(played.error).toMatchObject({ name: 'AbortError', cause: reason });
    expect(lifecycleOf(played.firedTypes)).toEqual(['started', 'cancelled']);
    expect(played.fired.at(-1)).toMatchObject({ type: 'cancelled', reason });
  });

  it('[G25] during a tool is told once as cancelled, and never as an error or a completion', () => {
    const played = aborted(7);
    expect(played.marbles).toBe('-t-(A<a)--(B<b)#');
    expect(lifecycleOf(played.firedTypes)).toEqual(['started', 'cancelled']);
    expect(played.history).toEqual(['user: hello', 'assistant: t [A B]', `A! ${neutral}`, `B! ${neutral}`]);
  });

  it('at any frame closes the model and the tools, and leaves a valid memory', () => {
    for (let frame = 0; frame < 17; frame++) {
      const played = aborted(frame);
      expect(played.marbles.endsWith('#'), `aborted at ${frame}`).toBe(true);
      expect(lifecycleOf(played.firedTypes), `aborted at ${frame}`).toEqual(['started', 'cancelled']);
      const spans = [...played.model.subscriptions(), ...played.tools.flatMap((each) => each.subscriptions())];
      for (const span of spans) expect(span.indexOf('!'), `${span} aborted at ${frame}`).toBeGreaterThan(0);
      for (const span of spans)
        if (!span.includes('(')) expect(span.indexOf('!'), `${span} aborted at ${frame}`).toBeLessThanOrEqual(frame);
      expectValid(kept(played.memory));
      expect(played.listeners.size, `aborted at ${frame}`).toBe(0);
    }
  });

  it('[G27] gives what was gathered as partial, without an answer', () => {
    const { error } = aborted(17, 'enough', ['-t-A--B--|', '-z-z|']);
    const { partial } = error as InvocationCancelledError;
    expect(partial.content).toBe('z');
    expect(partial.toolExecutions?.map(({ request, result }) => `${request.id}: ${result}`)).toEqual(['A: r', 'B: r']);
    expect(partial.intermediateResponses).toHaveLength(1);
    expect('finalResponse' in partial).toBe(false);
  });

  it('[G27] in the middle of a round gives the tools that had ended by then', () => {
    const { partial } = aborted(12).error as InvocationCancelledError;
    expect(partial.toolExecutions?.map(({ request }) => request.id)).toEqual(['B']);
  });

  it('[G27] lets result() fail instead of passing a partial answer for a whole one', () => {
    runMarbles(({ record, at }) => {
      const controller = new AbortController();
      at(2, () => controller.abort());
      const recording = record(
        aiService({ model: scriptedModel(['-t-t|']) }).result('hello', { signal: controller.signal }),
      ).toBe('--#');
      expect(recording.values).toEqual([]);
    });
  });

  it('[G21] from the start sends no request, and ends at once with the reason', () => {
    const reason = new Error('too late');
    const played = play({ rounds: [], call: { signal: AbortSignal.abort(reason) } });
    expect(played.marbles).toBe('#');
    expect(played.error).toMatchObject({ name: 'AbortError', cause: reason });
    expect(played.model.requests).toEqual([]);
    expect(lifecycleOf(played.firedTypes)).toEqual(['started', 'cancelled']);
    expect(played.history).toEqual([]);
  });

  it('[G26] that 1000 runs share, one after the other, never has more than one listener, and none in the end', () => {
    const { signal } = new AbortController();
    const listeners = abortListeners(signal);
    let most = 0;
    const count = () => (most = Math.max(most, listeners.size));
    runMarbles(({ expectEvents }) => {
      const model: ChatModel = {
        provider: 'x',
        chat: ({ modelName = '-t|' }) => scriptedModel([modelName]).chat({ messages: [] }),
      };
      const service = aiService({ model, listeners: [count] });
      for (let run = 0; run < 1000; run++) {
        const chatRequest = run % 3 === 0 ? { modelName: '-#' } : {};
        expectEvents(service.stream('hello', { signal, chatRequest }), `${run * 4}ms ${run % 3 === 1 ? '^!' : '^'}`);
      }
    });
    expect(most).toBe(1);
    expect(listeners.size).toBe(0);
  });
});

describe('a consumer that leaves', () => {
  it('[S60] is released at once though the tool ignores its signal', () => {
    const deaf = tool({ name: 'a', execute: () => new Promise<string>(() => undefined) });
    const controller = new AbortController();
    const played = play({
      rounds: ['-A|'],
      tools: [deaf],
      call: { signal: controller.signal },
      meanwhile: { 5: () => controller.abort() },
    });
    expect(played.marbles).toBe('-(A<a)%--#');
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', `A! ${neutral}`]);
  });

  it('[S28] aborts the signal of a running tool in the same frame', () => {
    const aborts: number[] = [];
    runMarbles(({ expectEvents, record }) => {
      const a = tool({
        name: 'a',
        execute: (_, { signal }) => {
          signal.addEventListener('abort', () => aborts.push(asyncScheduler.now()));
          return NEVER;
        },
      });
      const stop = timer(5);
      expectEvents(
        aiService({ model: scriptedModel(['-A|']), tools: [a] })
          .stream('hello')
          .pipe(takeUntil(stop)),
      ).toBe('-(A<a)%--|');
      record(stop).toBe('-----(0|)');
    });
    expect(aborts).toEqual([5]);
  });

  it("[G16] tears the tool's own Observable down after its first value", () => {
    const a = scriptedTool('a', '--p--q--r|');
    const played = play({ rounds: ['A|'], tools: [a], subscription: '^--!' });
    expect(played.marbles).toBe('(A<a)%*a');
    expect(a.subscriptions()).toEqual(['^--!']);
  });
});

describe('progress', () => {
  it('[G16] is told value by value; the last is the result, and the model gets no other', () => {
    const played = play({ rounds: ['A|', '-z|'], tools: [scriptedTool('a', '--p--q--r|')] });
    expect(played.marbles).toBe('(A<a)%*a--*a--*a>az($|)');
    expect(played.values.flatMap((event) => (event.type === 'toolProgress' ? [event.value] : []))).toEqual(['p', 'q', 'r']);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });

  it('that a tool tells by its context comes as it is told, and none after its end', () => {
    const contexts: ToolContext[] = [];
    const a = tool({
      name: 'a',
      execute: (_: unknown, context: ToolContext) => {
        contexts.push(context);
        context.progress('half');
        return timer(2).pipe(map(() => 'r'));
      },
    });
    const played = play({
      rounds: ['A|', '----z|'],
      tools: [a],
      meanwhile: { 1: () => contexts[0]!.progress('more'), 4: () => contexts[0]!.progress('late') },
    });
    expect(played.values.flatMap((event) => (event.type === 'toolProgress' ? [event.value] : []))).toEqual(['half', 'more', 'r']);
  });
});

describe('a write of the memory that takes its time', () => {
  const slowly = () => {
    const memory = roomyMemory();
    return {
      ...memory,
      add: (messages: readonly ChatMessage[]) => timer(5).pipe(concatMap(() => toObservable(memory.add(messages)))),
    };
  };

  it('comes before the final response', () => {
    expect(play({ rounds: ['-z|'], chatMemory: slowly() }).marbles).toBe('-z-----($|)');
  });

  it('[S77] goes on when the consumer leaves, and the next invocation waits for it', () => {
    const chatMemory = slowly();
    const model = scriptedModel(['-z|', '-y|']);
    runMarbles(({ expectEvents }) => {
      const service = aiService({ model, chatMemory });
      expectEvents(service.stream('one'), '^---!').toBe('-z');
      expectEvents(service.stream('two'), '-----^').toBe('--------y-----($|)');
    });
    expect(outline(kept(chatMemory))).toEqual(['user: one', 'assistant: z', 'user: two', 'assistant: y']);
  });
});
