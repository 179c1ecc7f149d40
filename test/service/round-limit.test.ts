import { describe, expect, it } from 'vitest';
import { ToolRoundTripsExceededError } from '../../src/service/service-errors.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { expectValid, kept, outline, play } from './support.ts';

const a = () => scriptedTool('a', '-r|');
const b = () => scriptedTool('b', '-r|');

describe('maxToolCallingRoundTrips', () => {
  it('of 1 allows one round of tools and the answer', () => {
    const played = play({ rounds: ['(AB)|', '-z|'], tools: [a(), b()], maxToolCallingRoundTrips: 1 });
    expect(played.history).toEqual(['user: hello', 'assistant: [A B]', 'A: r', 'B: r', 'assistant: z']);
  });

  it.each([false, true])(
    '[S18] [S89] of 1 ends a second round of tools at its first call, before a tool starts (legacy: %s)',
    (legacy) => {
      const second = b();
      const played = play({ rounds: ['-A|', '-t-B--|'], tools: [a(), second], maxToolCallingRoundTrips: 1, legacy });
      expect(played.marbles).toBe('-(A<a)(*a%)>at-#');
      expect(second.contexts).toEqual([]);
      expect(played.error).toBeInstanceOf(ToolRoundTripsExceededError);
      expect((played.error as Error).message).toMatch(/maxToolCallingRoundTrips.*\b1\b/);
      expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r']);
    },
  );

  it("ends the model's answer at once when the limit is hit", () => {
    const played = play({ rounds: ['-A|', '-t-B-------|'], tools: [a(), b()], maxToolCallingRoundTrips: 1 });
    expect(played.model.subscriptions()).toEqual(['^-!', '---^--!']);
  });

  it('of 0 allows an answer, and no tool at all', () => {
    const first = a();
    expect(play({ rounds: ['-t|'], tools: [first], maxToolCallingRoundTrips: 0 }).marbles).toBe('-t($|)');
    const played = play({ rounds: ['-A|'], tools: [first], maxToolCallingRoundTrips: 0 });
    expect(played.marbles).toBe('-#');
    expect(first.contexts).toEqual([]);
    expect(played.history).toEqual([]);
  });

  it('[G10] of 3 sends four requests at most, and what it leaves can be gone on with', () => {
    const tools = [a()];
    const played = play({ rounds: ['A|', 'A|', 'A|', 'A|', 'A|'], tools, maxToolCallingRoundTrips: 3 });
    expect(played.model.requests).toHaveLength(4);
    expect(tools[0]!.contexts).toHaveLength(3);
    expectValid(kept(played.memory));
    const before = played.history;
    const next = play({ rounds: ['-z|'], chatMemory: played.memory! });
    expect(next.marbles).toBe('-z($|)');
    expect(outline(next.model.requests[0]!.messages)).toEqual([...before, 'user: hello']);
  });

  it('counts the rounds of tools: calls that are told in the complete response alone count, too', () => {
    const second = b();
    const aiMessage = {
      role: 'assistant',
      text: null,
      toolExecutionRequests: [{ id: 'B', name: 'b', arguments: '{}' }],
    } as const;
    const played = play({
      rounds: ['A|', { marbles: '-|', response: { aiMessage } }],
      tools: [a(), second],
      maxToolCallingRoundTrips: 1,
    });
    expect(played.error).toBeInstanceOf(ToolRoundTripsExceededError);
    expect(second.contexts).toEqual([]);
  });

  it('is 100 by default', () => {
    const played = play({
      rounds: Array.from({ length: 102 }, () => 'A|'),
      tools: [scriptedTool('a', 'r|')],
      chatMemory: undefined,
    });
    expect(played.model.requests).toHaveLength(101);
    expect((played.error as Error).message).toMatch(/maxToolCallingRoundTrips.*\b100\b/);
  });
});
