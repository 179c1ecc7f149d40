import { take, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatModelEvent } from '../../src/chat/chat-model.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { InvocationCancelledError } from '../../src/service/service-errors.ts';
import type { Invocation } from '../../src/service/start-invocation.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { runMarbles, type MarbleKit } from '../../src/testing/run-marbles.ts';
import type { Recording } from '../../src/testing/recording.ts';
import type { ScriptedRound } from '../../src/testing/scripted-answer.ts';
import { scriptedModel, type ScriptedModelOptions } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { kept, neutral, outline, roomyMemory } from './support.ts';

/** Starts an invocation at frame 0 and lets a test watch it. */
function started(
  rounds: readonly (string | ScriptedRound)[],
  watch: (invocation: Invocation<string>, tools: MarbleKit) => void,
  script: ScriptedModelOptions = {},
) {
  const model = scriptedModel(rounds, script);
  const tools = [scriptedTool('a', '--r|')];
  const chatMemory = roomyMemory();
  const fired: string[] = [];
  runMarbles((kit) => {
    watch(aiService({ model, tools, chatMemory, listeners: [({ type }) => fired.push(type)] }).start('hello'), kit);
  });
  return { model, tools, fired, history: outline(kept(chatMemory)) };
}

const texts = (recording: Recording<AiServiceStreamingEvent>) =>
  recording.values.flatMap((event) => ('text' in event ? [event.text] : []));

describe('start()', () => {
  it('runs at once and to the end, though nobody watches', () => {
    const { model, fired, history } = started(['-t-A|', '-z|'], () => undefined);
    expect(model.requests).toHaveLength(2);
    expect(fired.at(-2)).toBe('completed');
    expect(history).toEqual(['user: hello', 'assistant: t [A]', 'A: r', 'assistant: z']);
  });

  it('runs on when every subscriber leaves', () => {
    const { history } = started(['-t-t-t|'], ({ events$, text$ }, { expectEvents, record }) => {
      expectEvents(events$, '^-!').toBe('-t');
      record(text$.pipe(take(2))).toBe('-t-(t|)');
    });
    expect(history).toEqual(['user: hello', 'assistant: ttt']);
  });

  it('[G34] serves several consumers with one request and one execution', () => {
    const { model, tools } = started(['-t-A|', '-z|'], ({ events$, text$, result$ }, { expectEvents, record }) => {
      expectEvents(events$).toBe('-t-(A<a)%*a>az($|)');
      expectEvents(events$).toBe('-t-(A<a)%*a>az($|)');
      record(text$).toBe('-t-----z|');
      record(result$, ({ content }) => content!).toBe('--------(z|)');
    });
    expect(model.requests).toHaveLength(2);
    expect(tools[0]!.subscriptions()).toEqual(['---^--!']);
  });

  it('[G35] tells a late subscriber everything, partial texts merged, and then what comes', () => {
    let late: Recording<AiServiceStreamingEvent> | undefined;
    started(['-t-u-v-w|'], ({ events$ }, { expectEvents }) => {
      late = expectEvents(events$, '------^').toBe('------tw($|)', { t: { text: 'tuv' } });
    });
    expect(texts(late!)).toEqual(['tuv', 'w']);
  });

  it('[G35] tells a subscriber that comes after the end everything, and completes', () => {
    let late: Recording<AiServiceStreamingEvent> | undefined;
    started(['-t-u-A|', '-z-y|'], ({ events$, text$, result$ }, { expectEvents, record }) => {
      late = expectEvents(events$, ' 50ms ^');
      record(text$, String, ' 50ms ^');
      record(result$, ({ content }) => content!, ' 50ms ^').toBe(' 50ms (zy|)');
    });
    expect(late!.values.map(({ type }) => type)).toEqual([
      'partialResponse',
      'completeToolCall',
      'beforeToolExecution',
      'intermediateResponse',
      'toolProgress',
      'afterToolExecution',
      'partialResponse',
      'finalResponse',
    ]);
    expect(texts(late!)).toEqual(['tu', 'zy']);
  });

  it('[G35] merges thoughts and the pieces of one call, but nothing across rounds, kinds or calls', () => {
    const piece = (index: number, partialArguments: string): ChatModelEvent => ({
      type: 'partialToolCall',
      index,
      id: `${index}`,
      name: 'a',
      partialArguments,
    });
    let late: Recording<AiServiceStreamingEvent> | undefined;
    const events = { '1': piece(0, '{'), '2': piece(0, '}'), '3': piece(1, '{'), '4': piece(1, '}') };
    started(
      [{ marbles: '-~~t~12341|', response: { finishReason: 'stop' } }],
      ({ events$ }, kit) => {
        late = kit.expectEvents(events$, ' 50ms ^');
      },
      { events },
    );
    const told = late!.values.map((event) =>
      event.type === 'partialToolCall' ? `${event.index} ${event.partialArguments}` : 'text' in event ? event.text : event.type,
    );
    expect(told).toEqual(['~~', 't', '~', '0 {}', '1 {}', '0 {', 'finalResponse']);
  });

  it('tells a subscriber that comes during an emission everything once and in order', () => {
    let inner: string[] = [];
    started(['-t-u-v|'], ({ text$ }, { record }) => {
      record(text$, (text) => {
        if (text === 'u') inner = collect(text$);
        return text;
      }).toBe('-t-u-v|');
    });
    expect(inner).toEqual(['tu', 'v', 'end']);
  });

  it('lets a late subscriber leave in the middle of the past', () => {
    started(['-t-A|', '-z|'], ({ events$ }, { expectEvents }) => {
      expectEvents(events$.pipe(take(2)), ' 50ms ^').toBe(' 50ms (tA|)');
    });
  });

  it('has the id that its events tell', () => {
    let watched: Recording<AiServiceStreamingEvent> | undefined;
    let id = '';
    started(['-t|'], (invocation, { expectEvents }) => {
      id = invocation.id;
      watched = expectEvents(invocation.events$);
    });
    expect(watched!.values.map(({ invocation }) => invocation.invocationId)).toEqual([id, id]);
  });

  it('[G28] that fails while nobody watches is told by the events, and late subscribers get the error', () => {
    let late: Recording<AiServiceStreamingEvent> | undefined;
    const { fired } = started(
      [{ marbles: '-t-#', error: new Error('lost') }],
      ({ events$, result$ }, { expectEvents, record }) => {
        late = expectEvents(events$, ' 50ms ^').toBe(' 50ms (t#)');
        record(result$, String, ' 50ms ^').toBe(' 50ms #');
      },
    );
    expect(late!.error).toEqual(new Error('lost'));
    expect(fired.at(-2)).toBe('error');
  });

  it('with an input that is none does not throw: its Observables error', () => {
    runMarbles(({ expectEvents, record }) => {
      const { events$, text$ } = aiService({ model: scriptedModel([]) }).start(7 as unknown as string);
      expectEvents(events$).toBe('#');
      record(text$).toBe('#');
    });
  });
});

describe('cancel()', () => {
  it('[G25] ends the invocation with an error that has the reason and what was gathered, and is told once', () => {
    let watched: Recording<AiServiceStreamingEvent> | undefined;
    const { model, tools, fired, history } = started(['-t-A|', '-z|'], (invocation, { expectEvents, at }) => {
      watched = expectEvents(invocation.events$).toBe('-t-(A<a)#');
      at(4, () => invocation.cancel('enough'));
      at(5, () => invocation.cancel('again'));
    });
    expect(watched!.error).toBeInstanceOf(InvocationCancelledError);
    expect(watched!.error).toMatchObject({ name: 'AbortError', cause: 'enough', partial: { content: 't' } });
    expect(fired.filter((type) => ['completed', 'cancelled', 'error'].includes(type))).toEqual(['cancelled']);
    expect(tools[0]!.subscriptions()).toEqual(['---^!']);
    expect(model.subscriptions()).toEqual(['^---!']);
    expect(history).toEqual(['user: hello', 'assistant: t [A]', `A! ${neutral}`]);
  });

  it('without a reason has one of the platform', () => {
    let watched: Recording<AiServiceStreamingEvent> | undefined;
    started(['-t-t|'], (invocation, { expectEvents, at }) => {
      watched = expectEvents(invocation.events$);
      at(2, () => invocation.cancel());
    });
    expect(watched!.error).toMatchObject({ name: 'AbortError', cause: { name: 'AbortError' } });
  });

  it('does nothing after the end', () => {
    const { fired } = started(['-t|'], (invocation, { expectEvents, at }) => {
      at(10, () => invocation.cancel());
      expectEvents(invocation.events$, ' 20ms ^').toBe(' 20ms (t$|)');
    });
    expect(fired.at(-2)).toBe('completed');
  });

  it('from inside the first emission stops everything', () => {
    const { model } = started(['-t-t|'], (invocation, { record }) => {
      record(invocation.text$.pipe(tap(() => invocation.cancel()))).toBe('-#');
    });
    expect(model.subscriptions()).toEqual(['^!']);
  });

  it('and a signal of the caller both end it', () => {
    const controller = new AbortController();
    runMarbles(({ expectEvents, at }) => {
      const { events$ } = aiService({ model: scriptedModel(['-t-t|']) }).start('hello', { signal: controller.signal });
      at(2, () => controller.abort());
      expectEvents(events$).toBe('-t#');
    });
  });
});

describe('resume()', () => {
  it('goes on where it broke off, with resume(): the question is asked once and no finished tool runs again', () => {
    let resumed: Recording<AiServiceStreamingEvent> | undefined;
    const rounds = ['-t-A|', '-z#', '-y|'];
    const { model, tools, history, fired } = started(rounds, ({ events$, resume }, { expectEvents, at }) => {
      expectEvents(events$).toBe('-t-(A<a)%*a>az#');
      at(12, () => (resumed = expectEvents(resume().events$)));
    });
    expect(resumed!.drawing()).toBe('------------&y($|)');
    expect(model.requests).toHaveLength(3);
    expect(tools[0]!.subscriptions()).toEqual(['---^--!']);
    expect(history).toEqual(['user: hello', 'assistant: t [A]', 'A: r', 'assistant: y']);
    expect(fired.filter((type) => type === 'started')).toHaveLength(1);
  });

  it('goes on only after a failure, and once', () => {
    const refusals: unknown[] = [];
    const refused = (resume: () => unknown) => {
      try {
        resume();
      } catch (error) {
        refusals.push((error as Error).message);
      }
    };
    started(['-z#', '-y|'], ({ cancel, resume, events$ }, { at }) => {
      events$.subscribe({ error: () => undefined });
      at(1, () => refused(resume));
      at(5, () => {
        const next = resume();
        refused(resume);
        next.events$.subscribe({ error: () => undefined });
        next.cancel();
        refused(next.resume);
        cancel();
      });
    });
    expect(refusals).toEqual(Array(3).fill('resume: only an invocation that has failed goes on, and only once.'));
  });

  it('can be cancelled after resume(), and the first handle cancels no more', () => {
    const errors: unknown[] = [];
    const { model } = started(['-z#', '-----y|'], ({ cancel, resume, events$ }, { at }) => {
      events$.subscribe({ error: () => undefined });
      at(5, () => {
        const next = resume();
        next.events$.subscribe({ error: (error: unknown) => errors.push(error) });
        at(1, () => cancel('too late'));
        at(3, () => next.cancel('enough'));
      });
    });
    expect(errors).toHaveLength(1);
    expect((errors[0] as InvocationCancelledError).cause).toBe('enough');
    expect(model.subscriptions()).toEqual(['^-!', '-----^--!']);
  });
});

function collect(source: Invocation<string>['text$']): string[] {
  const seen: string[] = [];
  source.subscribe({
    next: (text) => seen.push(text),
    error: (error: unknown) => seen.push(String(error)),
    complete: () => seen.push('end'),
  });
  return seen;
}
