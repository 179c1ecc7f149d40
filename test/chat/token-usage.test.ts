import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addTokenUsage, type TokenUsage } from '../../src/chat/token-usage.ts';

const counts = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'cachedInputTokens',
  'cacheCreationInputTokens',
  'reasoningTokens',
] as const;
const tokens = fc.nat(1_000_000);
const usage: fc.Arbitrary<TokenUsage> = fc.record(
  {
    inputTokens: tokens,
    outputTokens: tokens,
    totalTokens: tokens,
    cachedInputTokens: tokens,
    cacheCreationInputTokens: tokens,
    reasoningTokens: tokens,
  },
  { requiredKeys: [] },
);

describe('the sum of token usages', () => {
  it('[G40] adds each count by itself, cached and reasoning tokens apart', () => {
    const one: TokenUsage = {
      inputTokens: 10,
      outputTokens: 5,
      totalTokens: 15,
      cachedInputTokens: 4,
      cacheCreationInputTokens: 2,
      reasoningTokens: 1,
    };
    const other: TokenUsage = {
      inputTokens: 1,
      outputTokens: 2,
      totalTokens: 3,
      cachedInputTokens: 4,
      cacheCreationInputTokens: 5,
      reasoningTokens: 6,
    };
    expect(addTokenUsage(one, other)).toEqual({
      inputTokens: 11,
      outputTokens: 7,
      totalTokens: 18,
      cachedInputTokens: 8,
      cacheCreationInputTokens: 7,
      reasoningTokens: 7,
    });
  });

  it('[G40] has a count exactly where one of the two has it: absent stays absent, 0 stays 0', () => {
    fc.assert(
      fc.property(usage, usage, (one, other) => {
        const sum = addTokenUsage(one, other)!;
        for (const count of counts) {
          const known = [one[count], other[count]].filter((value) => value !== undefined);
          expect(count in sum).toBe(known.length > 0);
          if (known.length > 0) expect(sum[count]).toBe(known.reduce((total, value) => total + value, 0));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('[G40] is unknown only when both are', () => {
    expect(addTokenUsage(undefined, undefined)).toBeUndefined();
    expect(addTokenUsage({ inputTokens: 1 }, undefined)).toEqual({ inputTokens: 1 });
    expect(addTokenUsage(undefined, { inputTokens: 1 })).toEqual({ inputTokens: 1 });
  });

  it('[G40] takes a count that is present but undefined as absent', () => {
    const sum = addTokenUsage({ inputTokens: 1, outputTokens: undefined }, { inputTokens: 0 });
    expect(sum).toStrictEqual({ inputTokens: 1 });
  });

  it('changes neither of the two', () => {
    const one = Object.freeze({ inputTokens: 1 });
    const other = Object.freeze({ inputTokens: 2 });
    expect(addTokenUsage(one, other)).toEqual({ inputTokens: 3 });
    expect([one, other]).toEqual([{ inputTokens: 1 }, { inputTokens: 2 }]);
  });
});
