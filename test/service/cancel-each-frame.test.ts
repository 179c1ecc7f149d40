import { describe, expect, it } from 'vitest';
import { parseMarbles } from '../../src/testing/marbles.ts';
import type { ScriptedRound } from '../../src/testing/scripted-answer.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { expectValid, kept, neutral, outline, play, type Played } from './support.ts';

interface Story {
  readonly title: string;
  readonly rounds: readonly (string | ScriptedRound)[];
  readonly toolConcurrency?: number;
  readonly full: string;
  /** The memory from a frame on: what an unsubscribe before that frame's events no longer undoes. */
  readonly memory: readonly (readonly [from: number, history: readonly string[]])[];
}

const started = (...rest: string[]) => ['user: hello', ...rest];

const stories: readonly Story[] = [
  {
    title: 'two tools at once',
    rounds: ['-t-A--B--|', '-z|'],
    full: '-t-(A<a)--(B<b)-*b(%>b)----*a>az($|)',
    memory: [
      [0, []],
      [4, started('assistant: t [A]', `A! ${neutral}`)],
      [7, started('assistant: t [A B]', `A! ${neutral}`, `B! ${neutral}`)],
      [10, started('assistant: t [A B]', `A! ${neutral}`, 'B: r')],
      [16, started('assistant: t [A B]', 'A: r', 'B: r')],
      [18, started('assistant: t [A B]', 'A: r', 'B: r', 'assistant: z')],
    ],
  },
  {
    title: 'one tool after the other',
    rounds: ['-t-A--B--|', '-z|'],
    toolConcurrency: 1,
    full: '-t-(A<a)--B--%----*a(>a<b)-*b>bz($|)',
    memory: [
      [0, []],
      [4, started('assistant: t [A]', `A! ${neutral}`)],
      [7, started('assistant: t [A B]', `A! ${neutral}`, `B! ${neutral}`)],
      [16, started('assistant: t [A B]', 'A: r', `B! ${neutral}`)],
      [19, started('assistant: t [A B]', 'A: r', 'B: r')],
      [21, started('assistant: t [A B]', 'A: r', 'B: r', 'assistant: z')],
    ],
  },
  {
    title: 'two rounds of tools',
    rounds: ['-v-A|', '-u-B|', '-z|'],
    full: '-v-(A<a)%---------*a>au-(B<b)%*b>bz($|)',
    memory: [
      [0, []],
      [4, started('assistant: v [A]', `A! ${neutral}`)],
      [16, started('assistant: v [A]', 'A: r')],
      [19, started('assistant: v [A]', 'A: r', 'assistant: u [B]', `B! ${neutral}`)],
      [22, started('assistant: v [A]', 'A: r', 'assistant: u [B]', 'B: r')],
      [24, started('assistant: v [A]', 'A: r', 'assistant: u [B]', 'B: r', 'assistant: z')],
    ],
  },
];

const twoTools = () => [scriptedTool('a', '-----------r|'), scriptedTool('b', '--r|')];

/** Leaves at a frame, before what happens there, but after what happens at once. */
const until = (frame: number) => (frame === 0 ? '(^!)' : `^${'-'.repeat(frame - 1)}!`);

const at = (frame: number) => `given up at frame ${frame}`;

const isOver = ({ marbles }: Played) => marbles.includes('$');

describe.each(stories)('an invocation with $title', ({ rounds, toolConcurrency, full, memory }) => {
  const tell = (subscription?: string) => {
    const tools = twoTools();
    const played = play({ rounds, tools, ...(toolConcurrency && { toolConcurrency }), ...(subscription && { subscription }) });
    const spans = [...played.model.subscriptions(), ...tools.flatMap((tool) => tool.subscriptions())];
    return { played, spans, tools };
  };
  const end = parseMarbles(full).at(-1)!.frame;
  const frames = Array.from({ length: end + 2 }, (_, frame) => frame);

  it('tells everything in its order', () => {
    const { played } = tell();
    expect(played.marbles).toBe(full);
    expect(played.history).toEqual(memory.at(-1)![1]);
    expect(played.firedTypes.filter((type) => ['started', 'completed', 'cancelled', 'error'].includes(type))).toEqual([
      'started',
      'completed',
    ]);
  });

  it('tells nothing more once it is given up', () => {
    for (const frame of frames) {
      const { played } = tell(until(frame));
      const marks = parseMarbles(played.marbles);
      expect(marks, at(frame)).toEqual(parseMarbles(full).slice(0, marks.length));
      expect(
        marks.filter((mark) => mark.frame > frame),
        at(frame),
      ).toEqual([]);
      expect(
        marks.filter((mark) => mark.frame < frame),
        at(frame),
      ).toEqual(parseMarbles(full).filter((mark) => mark.frame < frame));
    }
  });

  it('[S31] lets go of the model and of every tool in the frame in which it is given up', () => {
    const edges = (span: string) => ({ from: parseMarbles(span)[0]!.frame, to: parseMarbles(span)[1]?.frame });
    for (const frame of frames) {
      const undisturbed = tell()
        .spans.map(edges)
        .filter(({ from }) => from < frame || from === 0);
      const expected = undisturbed.map(({ from, to }) => ({ from, to: Math.min(to!, frame) }));
      expect(tell(until(frame)).spans.map(edges), at(frame)).toEqual(expected);
    }
  });

  it('[G25] is told as cancelled once, without an error or a completion, unless the final response is out', () => {
    for (const frame of frames) {
      const { played } = tell(until(frame));
      const ends = ['completed', 'cancelled', 'error'];
      expect(
        played.firedTypes.filter((type) => ends.includes(type)),
        at(frame),
      ).toEqual([isOver(played) ? 'completed' : 'cancelled']);
      expect(ends, at(frame)).toContain(played.firedTypes.at(-1));
      expect(
        played.firedTypes.filter((type) => type === 'started'),
        at(frame),
      ).toHaveLength(1);
    }
  });

  it('[G24] leaves a memory that says what was done, and nothing if no tool had started', () => {
    for (const frame of frames) {
      const { played } = tell(until(frame));
      expectValid(kept(played.memory));
      const known = isOver(played) ? memory.at(-1)! : memory.findLast(([from]) => from <= frame)!;
      expect(played.history, at(frame)).toEqual(known[1]);
    }
  });

  it('aborts the signals of the tools that run, and of no other', () => {
    for (const frame of frames) {
      const { played, tools } = tell(until(frame));
      const running = tools.map(
        ({ specification: { name } }) => played.marbles.includes(`<${name}`) && !played.marbles.includes(`>${name}`),
      );
      expect(
        tools.map(({ contexts }) => contexts.some(({ signal }) => signal.aborted)),
        at(frame),
      ).toEqual(running);
    }
  });

  it('[S174] can be followed by the next question on the same memory', () => {
    for (const frame of frames) {
      const { played } = tell(until(frame));
      const before = played.history;
      const next = play({ rounds: ['-y|'], chatMemory: played.memory! });
      expect(next.marbles, at(frame)).toBe('-y($|)');
      expect(outline(next.model.requests[0]!.messages), at(frame)).toEqual([...before, 'user: hello']);
      expectValid(kept(played.memory), 2);
    }
  });
});
