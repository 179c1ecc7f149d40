import { NEVER, from, interval, map, of, throwError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { runMarbles, type MarbleKit } from '../../src/testing/run-marbles.ts';
import { tool } from '../../src/tool/tool.ts';

/** What a test that fails says. */
function failureOf(test: (kit: MarbleKit) => void, letters?: Readonly<Record<string, string>>): string {
  try {
    runMarbles(test, letters);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It did not fail.');
}

const weather = tool({
  name: 'get_weather',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => timer(3).pipe(map(() => `sunny in ${city}`)),
});
const inRome = { W: { name: 'get_weather', arguments: '{"city":"Rome"}' } };

describe('runMarbles', () => {
  it('tests a whole invocation: its events, its subscriptions and its memory, without any time passing', () => {
    const chatMemory = messageWindowMemory({ maxMessages: 10 });
    runMarbles(({ model, tool: scripted, expectEvents, expectSubscriptions, expectMemory, ids }) => {
      const answers = model(['-t-A|', '-z|']);
      const add = scripted('a', '--r|');
      const service = aiService({ model: answers, tools: [add], chatMemory, idGenerator: ids });
      expectEvents(service.stream('Go')).toBe('-t-(A<a)%*a>az($|)');
      expectSubscriptions(answers).toBe('^---!', '------^-!');
      expectSubscriptions(add).toBe('---^--!');
      expectMemory(chatMemory).toBe('user: Go', 'assistant: t a()', 'a: r', { role: 'assistant', text: 'z' });
    });
  });

  it('lets a symbol stand for any event of which at least that is so', () => {
    runMarbles(({ model, expectEvents }) => {
      const service = aiService({ model: model(['-W|', ['Sunny.']], { calls: inRome }), tools: [weather] });
      expectEvents(service.stream('Weather?')).toBe('-(W<w)%-(*wES$|)', {
        E: { type: 'afterToolExecution', execution: { result: 'sunny in Rome', hasFailed: false } },
        S: { text: /^Sun/ },
        $: { response: { finishReason: 'stop' } },
      });
    });
  });

  it('draws what was expected and what came under each other, and tells what is unlike', () => {
    const message = failureOf(({ record }) => record(of('a', 'b')).toBe('(ac|)'));
    expect(message.split('\n')).toEqual([
      'The marbles differ:',
      'expected   (ac|)',
      'actual     (ab|)',
      '             ^',
      'expected   c at 0 ms',
      'actual     b at 0 ms: "b"',
    ]);
  });

  it('tells a field that is not as the legend says, though the marbles look alike', () => {
    const message = failureOf(({ model, expectEvents }) => {
      const service = aiService({ model: model(['-t|']) });
      expectEvents(service.stream('Go')).toBe('-t($|)', { $: { response: { finishReason: 'length' } } });
    });
    expect(message).toContain(
      'expected   -t($|)\nactual     -t($|)\nexpected   $ at 2 ms, which is {"response":{"finishReason":"length"}}',
    );
    expect(message).toContain('actual     $ at 2 ms: {"type":"finalResponse"');
    expect(message).not.toContain('invocationId');
  });

  it('tells what did not come, what came too much, and what an error is', () => {
    expect(failureOf(({ record }) => record(of('a')).toBe('(ab|)'))).toContain('expected   b at 0 ms\nactual     | at 0 ms');
    expect(failureOf(({ record }) => record(of('a')).toBe('a'))).toContain('expected   nothing more\nactual     | at 0 ms');
    expect(failureOf(({ record }) => record(throwError(() => new TypeError('no'))).toBe('|'))).toContain(
      'actual     # at 0 ms: TypeError: no',
    );
  });

  it('shows a memory and subscriptions line by line, with what is unlike marked', () => {
    const chatMemory = messageWindowMemory({ maxMessages: 10 });
    const lines = failureOf(({ model, expectEvents, expectMemory }) => {
      expectEvents(aiService({ model: model(['z|']), chatMemory }).stream('Go'));
      expectMemory(chatMemory).toBe('user: Go', 'assistant: y');
    });
    expect(lines.split('\n')).toEqual([
      'The memory:',
      'expected',
      '    user: Go',
      '  ≠ assistant: y',
      'actual',
      '    user: Go',
      '  ≠ assistant: z',
    ]);
    expect(failureOf(({ model, expectSubscriptions }) => expectSubscriptions(model(['z|'])).toBe('^!'))).toBe(
      'The subscriptions:\nexpected\n  ≠ ^!\nactual\n    none',
    );
  });

  it('refuses an asynchronous test, which would pass whatever it says', () => {
    const awaiting: (kit: MarbleKit) => unknown = async ({ record }) => {
      await Promise.resolve();
      record(of('a')).toBe('wrong');
    };
    const message = failureOf((kit) => awaiting(kit) as undefined);
    expect(message).toBe(
      'runMarbles: the test returned a promise, and nothing that awaits happens in virtual time; use recordMarbles.',
    );
  });

  it('says that a source has not ended, and what to do where something in it awaits', () => {
    const awaiting = tool({ name: 'awaiting', execute: () => Promise.resolve('r') });
    const message = failureOf(({ model, expectEvents }) => {
      expectEvents(
        aiService({
          model: model(['A|', 'z|']),
          tools: [tool({ name: 'a', execute: () => Promise.resolve(1) }), awaiting],
        }).stream('Go'),
      ).toBe('(A<a)(%>az)($|)');
    });
    expect(message).toContain('The source has not ended. Does something in it await?');
  });

  it('stops a source that has no end', () => {
    expect(failureOf(({ record }) => record(interval(1)).toBe('-'))).toMatch(/emitted 100000 times and does not end: leave it/);
    expect(failureOf(({ record }) => record(NEVER).toBe('-a'))).toContain('The source has not ended.');
  });

  it.each([
    ['-(ab', '( without'],
    ['-a)', ') without'],
    ['((a))', '( without'],
  ])('refuses the diagram %s', (marbles, words) => {
    expect(failureOf(({ record }) => record(of('a')).toBe(marbles))).toContain(words);
  });

  it("takes the times of RxJS' diagrams", () => {
    runMarbles(({ record }) => record(timer(61_500)).toBe(' 1m 1s 500ms (0|)'));
    runMarbles(({ record }) => record(timer(1500)).toBe(' 1.5s (0|)'));
  });

  it.each<[string, (kit: MarbleKit) => void]>([
    ['The subscription abc has a', ({ record }) => record(of('a'), String, 'abc')],
    ['at(-1): there is no such frame', ({ at }) => at(-1, () => undefined)],
    ['scriptedModel: the answers are "-z|"; it must be an array', ({ model }) => model('-z|' as never)],
    ['scriptedModel: answer 1 is {"marble":"-z|"}; it must be a diagram', ({ model }) => model([{ marble: '-z|' } as never])],
    ['scriptedModel: answer 1 is a list with {}; it must hold texts', ({ model }) => model([[{ call: undefined } as never]])],
    ['scriptedModel: unknown option call', ({ model }) => model([], { call: {} } as never)],
    [
      'expectMemory: nothing is expected; say what by toBe(…).',
      ({ expectMemory }) => expectMemory(messageWindowMemory({ maxMessages: 2 })),
    ],
    ['expectSubscriptions: nothing is expected; say what', ({ expectSubscriptions, model }) => expectSubscriptions(model([]))],
  ])('says what is wrong with a test: %s', (words, test) => {
    expect(failureOf(test)).toContain(words);
  });

  it('says what is unlike before it says that something is expected of nothing', () => {
    const failure = failureOf(({ expectSubscriptions, record, model }) => {
      expectSubscriptions(model([]));
      record(of('a')).toBe('(b|)');
    });
    expect(failure).toContain('(b|)');
  });

  it('takes letters only as { P: name of the tool }', () => {
    expect(failureOf(() => undefined, { append: 'P' })).toBe(
      "letters: append is no letter; it must be { X: 'append' }, with the letter that stands for the tool.",
    );
  });

  it('does nothing any more when the test is over', () => {
    let kept: MarbleKit | undefined;
    runMarbles((kit) => void (kept = kit));
    expect(() => kept!.record(of('a'))).toThrow('the test is over');
  });

  it('points to the expectation that was not met', () => {
    try {
      runMarbles(({ record }) => {
        record(of('a')).toBe('(a|)');
        record(of('b')).toBe('(c|)');
      });
      expect.unreachable();
    } catch (error) {
      const [first] = (error as Error).stack!.split('\n').filter((line) => /^\s+at /.test(line));
      expect(first).toContain('run-marbles.test.ts');
    }
  });

  it('tells in which field an event differs, and draws a long diagram around the place where two part', () => {
    const message = failureOf(({ model, expectEvents }) =>
      expectEvents(aiService({ model: model(['-t|']) }).stream('Go')).toBe('-t($|)', {
        $: { response: { finishReason: /^len/ } },
      }),
    );
    expect(message).toContain('which is {"response":{"finishReason":"/^len/"}}');
    expect(message).toContain('differs in response.finishReason: expected /^len/, came "stop"');
    const long = failureOf(({ record }) => record(from('ab'.repeat(400)), String).toBe(`(${'ab'.repeat(300)}x|)`));
    expect(Math.max(...long.split('\n').map((line) => line.length))).toBeLessThan(220);
  });

  it('has letters for tools that begin alike', () => {
    runMarbles(
      ({ model, tool: scripted, expectEvents }) => {
        const tools = [scripted('get_time', 'r|'), scripted('get_date', '-r|')];
        const calls = { T: { name: 'get_time' }, D: { name: 'get_date' } };
        expectEvents(aiService({ model: model(['TD|', 'z|'], { calls }), tools }).stream('Go')).toBe(
          '(T<t*t)(>tD<d)(*d%)(>dz)($|)',
        );
      },
      { d: 'get_date' },
    );
  });
});
