import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestOf } from '../../../src/tool/search/best-of.ts';

describe('the best of some items', () => {
  it('are those that score enough, in order, as many as asked for', () => {
    expect(bestOf(['a', 'bbb', 'cc', 'dd'], (item) => item.length, { least: 2, max: 2 })).toEqual(['bbb', 'cc']);
  });

  it('leave out nothing that is better than what they hold', () => {
    const scores = fc.array(fc.integer({ min: 0, max: 9 }));
    fc.assert(
      fc.property(scores, fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 12 }), (all, least, max) => {
        const places = [...all.keys()];
        const best = bestOf(places, (place) => all[place]!, { least, max });
        expect(best.length).toBe(Math.min(max, all.filter((score) => score >= least).length));
        for (const [index, place] of best.entries()) {
          expect(all[place]).toBeGreaterThanOrEqual(least);
          const next = best[index + 1];
          if (next === undefined) continue;
          expect(all[place]! > all[next]! || (all[place] === all[next] && place < next)).toBe(true);
        }
        const worst = all[best.at(-1) ?? -1] ?? Infinity;
        const better = places.filter((place) => !best.includes(place) && all[place]! > worst);
        expect(better).toEqual([]);
      }),
    );
  });
});
