import { NEVER, of, throwError, timer, map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatMemory } from '../../src/memory/chat-memory.ts';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import { aiService } from '../../src/service/ai-service.ts';
import type { AiServiceOptions, Input, InvocationOptions } from '../../src/service/options.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { kept, outline, play, roomyMemory } from './support.ts';

const down = new Error('the database is down');
const failing = (): never => {
  throw down;
};
const memoryWith = (part: Partial<ChatMemory>): ChatMemory => ({ ...roomyMemory(), ...part });

describe('the system message', () => {
  const kinds: readonly (readonly [string, AiServiceOptions['systemMessage']])[] = [
    ['a text', 'be kind'],
    ['a function', () => 'be kind'],
    ['a function to an Observable', () => of('be kind')],
  ];

  it.each(kinds)('as %s comes first in every request and in memory', (_, systemMessage) => {
    const played = play({ rounds: ['A|', '-z|'], tools: [scriptedTool('a', 'r|')], ...(systemMessage && { systemMessage }) });
    expect(played.model.requests.map(({ messages }) => outline(messages)[0])).toEqual(['system: be kind', 'system: be kind']);
    expect(played.history).toEqual(['system: be kind', 'user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
    expect(played.fired[0]).toMatchObject({ type: 'started', systemMessage: { role: 'system', text: 'be kind' } });
  });

  it('as a promise is waited for', async () => {
    const model = scriptedModel(['t|']);
    await new Promise<void>((resolve, reject) => {
      aiService({ model, systemMessage: () => Promise.resolve('be kind') })
        .stream('hello')
        .subscribe({ complete: resolve, error: reject });
    });
    expect(outline(model.requests[0]!.messages)).toEqual(['system: be kind', 'user: hello']);
  });

  it('that takes its time delays the first request', () => {
    const played = play({ rounds: ['-t|'], systemMessage: () => timer(3).pipe(map(() => 'be kind')) });
    expect(played.marbles).toBe('----t($|)');
  });

  it('of undefined or an empty text is none', () => {
    for (const systemMessage of ['', () => undefined, () => '', () => of(undefined)]) {
      expect(play({ rounds: ['-t|'], systemMessage }).history).toEqual(['user: hello', 'assistant: t']);
    }
  });

  it('is made once an invocation, of its context', () => {
    const asked: unknown[] = [];
    const played = play({
      rounds: ['A|', '-z|'],
      tools: [scriptedTool('a', 'r|')],
      systemMessage: (context) => {
        asked.push(context);
        return 'be kind';
      },
    });
    expect(asked).toEqual([played.values[0]!.invocation]);
    expect(asked[0]).toBe(played.values[0]!.invocation);
  });

  it("[G45] that changes between invocations takes the old one's place", () => {
    const chatMemory = roomyMemory();
    play({ rounds: ['-t|'], chatMemory, systemMessage: 'be kind' });
    play({ rounds: ['-u|'], chatMemory, systemMessage: 'be brief' });
    expect(outline(kept(chatMemory))).toEqual(['system: be brief', 'user: hello', 'assistant: t', 'user: hello', 'assistant: u']);
  });
});

describe('a failure before the first request', () => {
  const failures: readonly (readonly [string, Omit<AiServiceOptions, 'model'>])[] = [
    ['a system message that throws', { systemMessage: failing }],
    ['a system message that errors', { systemMessage: () => throwError(() => down) }],
    ['a chat memory that throws', { chatMemory: memoryWith({ messages: failing }) }],
    ['[S34] a chat memory that errors', { chatMemory: memoryWith({ messages: () => throwError(() => down) }) }],
    ['a provider of memories that throws', { chatMemoryProvider: failing }],
  ];

  it.each(failures)('[S76] of %s arrives as an error, fires the Error event, and sends nothing', (_, options) => {
    const played = play({ rounds: [], chatMemory: undefined, ...options });
    expect(played.marbles).toBe('#');
    expect(played.error).toBe(down);
    expect(played.firedTypes).toEqual(['started', 'error']);
    expect(played.model.requests).toEqual([]);
  });

  it('[S76] of a promise arrives as an error, and is no unhandled rejection', async () => {
    const errors: unknown[] = [];
    await new Promise<void>((resolve) => {
      aiService({ model: scriptedModel([]), systemMessage: () => Promise.reject(down) })
        .stream('hello')
        .subscribe({
          error: (error: unknown) => {
            errors.push(error);
            resolve();
          },
        });
    });
    expect(errors).toEqual([down]);
  });

  const unusable: readonly (readonly [string, Omit<AiServiceOptions, 'model'>, InvocationOptions, RegExp])[] = [
    [
      'a provider of memories that returns none',
      { chatMemoryProvider: () => ({}) as ChatMemory },
      { memoryId: 'x' },
      /chatMemoryProvider.*"x".*chat memory/,
    ],
    ['a blank memoryId', { chatMemoryProvider: roomyMemory }, { memoryId: ' ' }, /memoryId.*leave it out/],
    [
      'a memoryId for a service with one chatMemory',
      { chatMemory: roomyMemory() },
      { memoryId: 'x' },
      /memoryId.*"x".*chatMemoryProvider/,
    ],
    ['a model that is none', {}, { model: 7 as never }, /model.*7.*chat model/],
  ];

  it.each(unusable)('of %s is a configuration error that names it and says what to do', (_, options, call, message) => {
    const played = play({ rounds: [], chatMemory: undefined, ...options, call });
    expect(played.marbles).toBe('#');
    expect(played.error).toBeInstanceOf(ConfigurationError);
    expect((played.error as Error).message).toMatch(message);
    expect(played.firedTypes).toEqual(['started', 'error']);
  });

  it('of a memory that returns no messages names parseMessages', () => {
    const played = play({ rounds: [], chatMemory: memoryWith({ id: 'odd', messages: () => [{ text: 'hi' }] as never }) });
    expect(played.error).toBeInstanceOf(TypeError);
    expect((played.error as Error).message).toMatch(/odd.*parseMessages/);
  });

  const unreadable: readonly (readonly [string, Input, InvocationOptions, RegExp])[] = [
    ['an input that is none', 7 as unknown as Input, {}, /input.*7/],
    ['contents of an unknown type', [{ type: 'smell' }] as unknown as Input, {}, /input.*smell/],
    [
      'messages of another library',
      [{ role: 'user', content: 'x' }] as unknown as Input,
      {},
      /input is \[an object with role, content\]; it must be text, contents as in \[\{ type: 'text', text: '…' \}\], or a user message/,
    ],
    ['a text among the contents, which is not shown', ['hunter2'] as unknown as Input, {}, /input is \["string"\];/],
    ['contents with holes', new Array(2), {}, /input is \["undefined", "undefined"\];/],
    ['an unknown option', 'hello', { memoryID: 'x' } as InvocationOptions, /unknown option memoryID.*memoryId/],
  ];

  it.each(unreadable)(
    'of %s is an error of the stream, too: neither stream() nor subscribe() throws',
    (_, input, call, message) => {
      const played = play({ rounds: [], input, call });
      expect(played.marbles).toBe('#');
      expect(played.error).toBeInstanceOf(ConfigurationError);
      expect((played.error as Error).message).toMatch(message);
    },
  );

  it('[S15] can be waited for and left: nothing else happens', () => {
    const model = scriptedModel([]);
    runMarbles(({ expectEvents }) => {
      expectEvents(aiService({ model, systemMessage: () => NEVER }).stream('hello'), '^---!').toBe('');
    });
    expect(model.requests).toEqual([]);
  });
});

describe('a memory that can not be written', () => {
  it('fails the invocation before the final response is told', () => {
    const played = play({ rounds: ['-t|'], chatMemory: memoryWith({ add: () => throwError(() => down) }) });
    expect(played.marbles).toBe('-t#');
    expect(played.error).toBe(down);
    expect(played.firedTypes.at(-1)).toBe('error');
  });

  it('after a round that failed leaves the error that counts, and is logged', () => {
    const played = play({
      rounds: ['A|'],
      tools: [scriptedTool('a', '-#')],
      chatMemory: memoryWith({ add: () => throwError(() => down) }),
    });
    expect(played.error).toEqual(new Error('a failed'));
    expect(played.logs.map(([level, , error]) => [level, error])).toEqual([['error', down]]);
  });
});
