import { retry, take, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatModel, ChatModelEvent } from '../../../src/chat/chat-model.ts';
import { ChatModelError } from '../../../src/chat/chat-model-error.ts';
import { aiService } from '../../../src/service/ai-service.ts';
import { cassetteModel } from '../../../src/testing/cassette/cassette-model.ts';
import { recordCassette } from '../../../src/testing/cassette/record-cassette.ts';
import type { ScriptedAnswer } from '../../../src/testing/scripted-answer.ts';
import { scriptedModel } from '../../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../../src/testing/scripted-tool.ts';
import { watch } from '../../chat/watch.ts';
import { ask, asked, failureOf, play, recorded, throughJson } from './support.ts';

const textIn = (events: readonly (readonly [number, ChatModelEvent])[]) =>
  events.map(([, event]) => (event.type === 'partialResponse' ? event.text : '')).join('');

const textOf = (model: ChatModel, question: string) => textIn(asked(model, ask(question)).at);

/** Asks all questions, each at its frame. */
function together(model: ChatModel, questions: Readonly<Record<string, string>>) {
  const sources = Object.entries(questions).map(([question, when]) => [model.chat(ask(question)), when] as const);
  return play<ChatModelEvent>(...sources);
}

function recordedTogether(answers: readonly ScriptedAnswer[], questions: Readonly<Record<string, string>>) {
  const model = recordCassette(scriptedModel(answers));
  const played = together(model, questions);
  return { cassette: throughJson(model.cassette()), played };
}

describe('requests one after the other', () => {
  const cassette = recorded([
    [ask('Same'), '-a|'],
    [ask('Same'), '-b|'],
    [ask('Other'), '-c|'],
  ]);

  it('are answered in the recorded order, also where they are the same', () => {
    const model = cassetteModel(cassette);
    expect([textOf(model, 'Same'), textOf(model, 'Same'), textOf(model, 'Other')]).toEqual(['a', 'b', 'c']);
  });

  it('fail out of their order, and the error draws the one whose turn it is', () => {
    expect(failureOf(cassetteModel(cassette), ask('Other'))).toBe(
      'cassette: request 1 is recorded request 3, but recorded request 1 has not come yet:\n    user: Same\n' +
        'Ask in the recorded order, or record the cassette anew.',
    );
  });

  it('fail beyond the tape, and the error draws the request', () => {
    const model = cassetteModel(recorded([[ask('One'), '-a|']]));
    textOf(model, 'One');
    const tools = [{ name: 'add', parameters: {} }];
    expect(failureOf(model, ask('Two\nlines', { toolSpecifications: tools, temperature: 0.5 }))).toBe(
      'cassette: it has one answer, and this is request 2:\n    user: Two lines\n    (tools: add)\n    (temperature: 0.5)\n' +
        'Ask no more than was recorded, or record the cassette anew.',
    );
  });

  it('are counted by the subscription: each takes the next answer', () => {
    const model = cassetteModel(cassette);
    const answer = model.chat(ask('Same'));
    expect(model.unused()).toEqual([1, 2, 3]);
    expect(play([answer], [answer]).map(({ at }) => textIn(at))).toEqual(['a', 'b']);
    expect(model.unused()).toEqual([3]);
  });

  it('fail and succeed as they did when they were repeated', () => {
    const error = new ChatModelError('busy', { kind: 'overloaded', provider: 'x', retryable: true });
    const model = recordCassette(scriptedModel([{ marbles: '-#', error }, '-a|']));
    const repeated = (asking: ChatModel) => play([asking.chat(ask('Hi')).pipe(retry(1))])[0];
    const first = repeated(model);
    expect(first?.end).toEqual([3, 'complete']);
    expect(repeated(cassetteModel(throughJson(model.cassette())))).toEqual(first);
  });
});

describe('concurrent requests', () => {
  it('are recorded side by side, in the order in which they were asked', () => {
    const { cassette } = recordedTogether(['--a--b|', '-c|', '-d|'], { One: '^', Two: '-^', Three: '---------^' });
    expect(cassette.exchanges.map(({ beside }) => beside)).toEqual([undefined, [0], undefined]);
    expect(cassette.exchanges.map(({ end }) => end.at)).toEqual([6, 2, 2]);
  });

  it('are each replayed in their own time', () => {
    const questions = { One: '^', Two: '-^', Three: '--^' };
    const { cassette, played } = recordedTogether(['--a--b|', '-c|', '----d|'], questions);
    expect(together(cassetteModel(cassette), questions)).toEqual(played);
  });

  it('find their answers whichever comes first', () => {
    const { cassette } = recordedTogether(['--a|', '-b|', '-c|'], { One: '^', Two: '-^', Three: '--^' });
    const model = cassetteModel(cassette);
    expect([textOf(model, 'Three'), textOf(model, 'One'), textOf(model, 'Two')]).toEqual(['c', 'a', 'b']);
  });

  it('take the first unused answer where they are the same', () => {
    const model = recordCassette(scriptedModel(['---a|', '-b|']));
    play([model.chat(ask('Same'))], [model.chat(ask('Same'))]);
    const replaying = cassetteModel(throughJson(model.cassette()));
    expect(play([replaying.chat(ask('Same'))], [replaying.chat(ask('Same'))]).map(({ at }) => textIn(at))).toEqual(['a', 'b']);
  });

  it('do not lift the order of those that ran alone', () => {
    const { cassette } = recordedTogether(['-a|', '---b|', '-c|'], { One: '^', Two: '----^', Three: '-----^' });
    expect(failureOf(cassetteModel(cassette), ask('Three'))).toContain('recorded request 1 has not come yet');
  });

  it('are not those that begin as soon as an answer is whole', () => {
    const model = recordCassette(scriptedModel([['a'], ['b']]));
    const goOn = tap(({ type }: ChatModelEvent) => type === 'completeResponse' && watch(model.chat(ask('Two'))));
    watch(model.chat(ask('One')).pipe(goOn));
    expect(model.cassette().exchanges.map(({ beside }) => beside)).toEqual([undefined, undefined]);
  });

  it('of whole invocations are replayed as they were', () => {
    const invoke = (model: ChatModel) => {
      const service = aiService({ model, tools: [scriptedTool('a', '---r|')] });
      return play([service.text('One')], [service.text('Two'), '-^'], [service.text('Three'), '--^']);
    };
    const model = recordCassette(scriptedModel(['-A|', '---A|', '--A|', '--x|', '-y|', '-z|']));
    const first = invoke(model);
    expect(first.map(({ end }) => end?.[1])).toEqual(['complete', 'complete', 'complete']);
    expect(invoke(cassetteModel(throughJson(model.cassette())))).toEqual(first);
  });
});

describe('a consumer that leaves', () => {
  it('is recorded with the time at which it left', () => {
    const model = recordCassette(scriptedModel(['-a-b-c|']));
    asked(model, ask('Hi'), '^---!');
    expect(model.cassette().exchanges[0]).toMatchObject({ events: [{ at: 1 }, { at: 3 }], end: { at: 4, how: 'unsubscribed' } });
  });

  it('stops the model that is recorded, also in the middle of what comes at once', () => {
    const scripted = scriptedModel(['-----a|']);
    asked(recordCassette(scripted), ask('Hi'), '^-!');
    expect(scripted.subscriptions()).toEqual(['^-!']);
    const model = recordCassette(scriptedModel([['a', 'b', 'c']]));
    watch(model.chat(ask('Hi')).pipe(take(1)));
    const { events, end } = model.cassette().exchanges[0]!;
    expect(events).toMatchObject([{ type: 'partialResponse', text: 'a' }]);
    expect(end.how).toBe('unsubscribed');
  });

  it('stops the replay and its timer', () => {
    const model = cassetteModel(recorded([[ask('Hi'), '-a-b-c|']]));
    const { at, end } = asked(model, ask('Hi'), '^---!');
    expect([at.map(([frame]) => frame), end]).toEqual([[1, 3], undefined]);
    const instant = cassetteModel(recorded([[ask('Hi'), '-a-b-c|']]), { speed: 'instant' });
    expect(watch(instant.chat(ask('Hi')).pipe(take(2)))).toMatchObject({ values: { length: 2 }, end: 'complete' });
  });

  const left = () => {
    const model = recordCassette(scriptedModel(['-a-b-c|']));
    asked(model, ask('Hi'), '^---!');
    return throughJson(model.cassette());
  };

  it('may leave a little later than it did', () => {
    const { at, end } = asked(cassetteModel(left()), ask('Hi'), `^${'-'.repeat(900)}!`);
    expect([at.length, end]).toEqual([2, undefined]);
  });

  it('learns that the tape has no more when it stays', () => {
    const { end } = asked(cassetteModel(left()), ask('Hi'));
    expect(end?.[0]).toBe(1004);
    expect(String(end?.[2])).toBe(
      'CassetteError: cassette: the answer to recorded request 1 was left by its consumer after 4 ms, and there is no more of it; ' +
        'leave it by then, or record the cassette anew.',
    );
  });

  it('hears the answer to its end when it had left behind the last event', () => {
    const model = recordCassette(scriptedModel(['-a|']));
    play([model.chat(ask('Hi')).pipe(take(2))]);
    expect(model.cassette().exchanges[0]?.end).toEqual({ at: 2, how: 'unsubscribed' });
    expect(asked(cassetteModel(throughJson(model.cassette())), ask('Hi')).end).toEqual([2, 'complete']);
  });

  it('is no part of a cassette while it stays: an answer is in it when it has ended', () => {
    const model = recordCassette(scriptedModel(['-----a|', '-b|']));
    const during: string[][] = [];
    const lookOn = tap({ complete: () => during.push(model.cassette().exchanges.map(({ end }) => end.how)) });
    play([model.chat(ask('One')).pipe(lookOn)], [model.chat(ask('Two')).pipe(lookOn), '-^']);
    expect(during).toEqual([['complete'], ['complete', 'complete']]);
  });
});
