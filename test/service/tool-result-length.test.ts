import fc from 'fast-check';
import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Content } from '../../src/chat/content.ts';
import { shortenedContents } from '../../src/service/shortened-contents.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import { executorTool } from '../../src/tool/executor-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import type { ToolExecution } from '../../src/tool/types.ts';
import { kept, play, type Played } from './support.ts';

const text = (value: string): Content => ({ type: 'text', text: value });
const image: Content = { type: 'image', url: 'https://a.example/b.png' };
const textsOf = (contents: readonly Content[]): string =>
  contents.map((content) => (content.type === 'text' ? content.text : '')).join('');

/** A tool that returns these contents, or this text. */
const returning = (value: string | readonly Content[]) => tool({ name: 'a', execute: () => of(value) });

/** What the model was told of the call, in the request behind it. */
function toldOf({ model }: Played): readonly Content[] {
  const message = model.requests[1]!.messages[2]!;
  return 'contents' in message ? message.contents : [];
}

function executionOf({ values }: Played): ToolExecution {
  return values.flatMap((event) => (event.type === 'afterToolExecution' ? [event.execution] : []))[0]!;
}

const note = /\n\[… (\d+) characters are missing here …\]\n/;

describe('maxToolResultLength', () => {
  const huge = `<<${'0123456789'.repeat(500_000)}>>`;

  it('[G14] cuts 5 MB down to head and tail and how much is missing; events and results have it all', () => {
    const played = play({ rounds: ['A|', '-z|'], tools: [returning(huge)], maxToolResultLength: 20_000 });
    const told = textsOf(toldOf(played));
    expect(told.length).toBeLessThanOrEqual(20_000);
    expect(told.length).toBeGreaterThan(19_990);
    const [head, missing, tail] = told.split(note) as [string, string, string];
    expect(huge.startsWith(head)).toBe(true);
    expect(huge.endsWith(tail)).toBe(true);
    expect(Math.abs(head.length - tail.length)).toBeLessThanOrEqual(2);
    expect(head.length + Number(missing) + tail.length).toBe(huge.length);

    const execution = executionOf(played);
    expect(execution.result).toBe(huge);
    expect(execution.resultContents).toEqual([text(huge)]);
    expect(execution.resultObject).toBe(huge);
    const told$ = played.fired.find(({ type }) => type === 'toolExecuted');
    expect(told$).toMatchObject({ resultContents: [text(huge)] });
    const completed = played.fired.at(-1) as { result?: { toolExecutions: readonly ToolExecution[] } };
    expect(completed.result!.toolExecutions).toEqual([execution]);
  });

  it('[G14] is what memory keeps, too: it goes to the model again with the next question', () => {
    const played = play({ rounds: ['A|', '-z|'], tools: [returning(huge)], maxToolResultLength: 20_000 });
    expect(kept(played.memory)[2]).toMatchObject({ role: 'tool', contents: toldOf(played) });
  });

  it('leaves alone what is not longer', () => {
    const exact = 'x'.repeat(100);
    const toldWith = (maxToolResultLength?: number) =>
      toldOf(
        play({
          rounds: ['A|', '-z|'],
          tools: [returning(exact)],
          ...(maxToolResultLength !== undefined && { maxToolResultLength }),
        }),
      );
    for (const limit of [undefined, 100, 101, Infinity]) expect(toldWith(limit)).toEqual([text(exact)]);
    expect(toldWith(99)).not.toEqual([text(exact)]);
  });

  it('holds for each result by itself', () => {
    const tools = ['a', 'b'].map((name) => tool({ name, execute: () => of('x'.repeat(80)) }));
    const { history } = play({ rounds: ['(AB)|', '-z|'], tools, maxToolResultLength: 80 });
    expect(history.slice(2, 4)).toEqual([`A: ${'x'.repeat(80)}`, `B: ${'x'.repeat(80)}`]);
  });

  it('holds for the texts of errors', () => {
    const failing = scriptedTool('a', '#', { error: new Error(`broken: ${huge}!`) });
    const played = play({
      rounds: ['A|', '-z|'],
      tools: [failing],
      maxToolResultLength: 100,
      toolExecutionErrorHandler: toolExecutionErrorHandler.sendExceptionMessageToLlm(),
    });
    const told = textsOf(toldOf(played));
    expect(told.length).toBeLessThanOrEqual(100);
    expect(told).toMatch(/^broken: <<[^]*characters are missing[^]*>>!$/);
    expect(executionOf(played).result).toBe(`broken: ${huge}!`);
    expect(executionOf(played).error!.message).toBe(`broken: ${huge}!`);
  });

  it('holds for all texts of a result together, and leaves media and their places alone', () => {
    const contents = [text('about: '), image, text('x'.repeat(5000)), image, text('y'.repeat(5000)), text(' (end)')];
    const played = play({ rounds: ['A|', '-z|'], tools: [returning(contents)], maxToolResultLength: 200 });
    const told = toldOf(played);
    expect(textsOf(told).length).toBeLessThanOrEqual(200);
    expect(told.map(({ type }) => type)).toEqual(['text', 'image', 'text', 'image', 'text', 'text']);
    expect(told[0]).toEqual(text('about: '));
    expect(told.at(-1)).toEqual(text(' (end)'));
    const [head, missing, tail] = textsOf(told).split(note) as [string, string, string];
    expect(head).toMatch(/^about: x+$/);
    expect(tail).toMatch(/^y+ \(end\)$/);
    expect(head.length + Number(missing) + tail.length).toBe(textsOf(contents).length);
  });

  it('counts whole texts that lie in the gap, and sends no empty ones in their place', () => {
    const contents = Array.from({ length: 1000 }, (_, place) => text(`line ${String(place).padStart(4, '0')}\n`));
    const played = play({ rounds: ['A|', '-z|'], tools: [returning(contents)], maxToolResultLength: 100 });
    const told = toldOf(played);
    expect(textsOf(told)).toMatch(/^line 0000\nline 0001\n.*\n\[… 99\d\d characters are missing here …\]\n.*line 0999\n$/s);
    expect(told.every((content) => content.type === 'text' && content.text !== '')).toBe(true);
  });

  it('keeps the rest of a result: whether it is an error, and its attributes', () => {
    const refusing = executorTool({ name: 'a', parameters: {} }, () => ({
      contents: [text('x'.repeat(500))],
      isError: true,
      attributes: { source: 'test' },
    }));
    const played = play({ rounds: ['A|', '-z|'], tools: [refusing], maxToolResultLength: 10 });
    expect(kept(played.memory)[2]).toEqual({
      role: 'tool',
      id: 'A',
      toolName: 'a',
      contents: [text('x'.repeat(10))],
      isError: true,
      attributes: { source: 'test' },
    });
  });

  it('holds for results that are the answer as they go to memory; the caller has them whole', () => {
    const immediate = tool({ name: 'a', returnBehavior: 'immediate', execute: () => of('x'.repeat(500)) });
    const played = play({ rounds: ['A|'], tools: [immediate], maxToolResultLength: 10 });
    expect(played.history.at(-1)).toBe(`A: ${'x'.repeat(10)}`);
    expect(executionOf(played).result).toBe('x'.repeat(500));
  });

  it.each([
    ['a', 1, 'a'],
    ['abc', 1, 'a'],
    ['abc', 2, 'ab'],
    ['😀😀', 1, ''],
    ['😀😀', 2, '😀'],
    ['😀😀', 3, '😀'],
    ['a😀', 2, 'a'],
  ])('of %j to %i is %j: too short for a note, it is the head alone', (value, limit, expected) => {
    expect(shortenedContents([text(value)], limit)).toEqual([text(expected)]);
  });

  it('has room for a note and one character at least', () => {
    const value = 'x'.repeat(100);
    const shortest = '\n[… 100 characters are missing here …]\n'.length + 1;
    expect(textsOf(shortenedContents([text(value)], shortest))).toBe('x\n[… 99 characters are missing here …]\n');
    expect(textsOf(shortenedContents([text(value)], shortest + 1))).toBe('x\n[… 98 characters are missing here …]\nx');
    expect(textsOf(shortenedContents([text(value)], shortest - 1))).toBe('x'.repeat(shortest - 1));
  });

  it('never exceeds the limit, begins with the head, ends with the tail, and tells how much is missing between them', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: fc.constantFrom('a', '😀', '\ud83d', '\ude00'), maxLength: 200 }),
    );
    const anyContents = fc.array(fc.oneof({ weight: 4, arbitrary: anyText.map(text) }, fc.constant(image)), { maxLength: 6 });
    fc.assert(
      fc.property(anyContents, fc.integer({ min: 1, max: 300 }), (contents, limit) => {
        const original = textsOf(contents);
        const shortened = shortenedContents(contents, limit);
        const told = textsOf(shortened);
        expect(told.length).toBeLessThanOrEqual(limit);
        expect(shortened.filter(({ type }) => type === 'image')).toEqual(contents.filter(({ type }) => type === 'image'));
        if (original.length <= limit) {
          expect(shortened).toBe(contents);
          return;
        }
        const [head, missing, tail = ''] = told.split(note) as [string, string?, string?];
        expect(original.startsWith(head)).toBe(true);
        expect(original.endsWith(tail)).toBe(true);
        if (missing !== undefined) expect(head.length + Number(missing) + tail.length).toBe(original.length);
        // Little is given away, and none of it on one side.
        expect(told.length).toBeGreaterThanOrEqual(limit - 5);
        if (missing !== undefined) expect(Math.abs(head.length - tail.length)).toBeLessThanOrEqual(2);
      }),
      { numRuns: 2000 },
    );
  });

  it('tears no character apart', () => {
    const whole = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '👩‍🚀', '漢'), maxLength: 100 });
    fc.assert(
      fc.property(fc.array(whole.map(text), { maxLength: 4 }), fc.integer({ min: 1, max: 150 }), (contents, limit) => {
        expect(textsOf(shortenedContents(contents, limit))).not.toMatch(/\p{Surrogate}/u);
      }),
      { numRuns: 2000 },
    );
  });
});
