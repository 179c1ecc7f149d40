import { of, throwError, timer, map } from 'rxjs';
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
