import { invocations } from '../invocations.mjs';
import { measured } from '../measure.mjs';
import { script } from '../wire/script.mjs';

const what = script({ rounds: 1, calls: 2, fragments: 4, argumentLength: 40, tokens: 100, framesPerChunk: 1, delay: 10 });

/** 500 invocations at once: two tool calls, then 100 tokens at 10 ms each. A new process each time, warmed by five of them. */
export const concurrent = {
  samples: 3,
  seconds: 6,
  needsNewProcess: true,
  rows: [
    { key: 'cpu', title: '500 invocations at once, CPU of one', unit: 'ms', budget: 1.15 },
    { key: 'rss', title: '500 invocations at once, peak memory (RSS)', unit: 'MB', budget: 1.15 },
    { key: 'heap', title: '500 invocations at once, peak heap', unit: 'MB', budget: 1.15 },
    { key: 'wall', title: '500 invocations at once, wall', unit: 'ms' },
  ],
  begin(make, { origin }) {
    const once = invocations(make, what, { origin, duration: 5 });
    return async () => {
      await Promise.all(Array.from({ length: 5 }, once));
      gc();
      const peak = { rss: 0, heapUsed: 0 };
      const look = setInterval(() => {
        const now = process.memoryUsage();
        for (const key of Object.keys(peak)) peak[key] = Math.max(peak[key], now[key] / 1e6);
      }, 20);
      const { wall, cpu } = await measured(() => Promise.all(Array.from({ length: 500 }, once)));
      clearInterval(look);
      return { cpu: cpu / 500, wall, rss: peak.rss, heap: peak.heapUsed };
    };
  },
};
