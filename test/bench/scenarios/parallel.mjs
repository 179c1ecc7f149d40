import { invocations } from '../invocations.mjs';
import { measured, repeat, warm } from '../measure.mjs';
import { median } from '../statistics.mjs';
import { script } from '../wire/script.mjs';

const what = script({ rounds: 1, calls: 64, argumentLength: 200, fragments: 20, tokens: 20 });

/** Many tools at once whose arguments stream in small pieces. */
export const parallel = {
  samples: 9,
  rows: [
    { key: 'wall', title: '64 parallel tools of 20 ms, wall', unit: 'ms', budget: 1.25 },
    { key: 'cpu', title: '64 parallel tools of 20 ms, CPU', unit: 'ms', budget: 1.25 },
  ],
  begin(make, { origin }) {
    const once = invocations(make, what, { origin, duration: 20 });
    return warm(
      // As long as V8 goes on compiling what a call runs.
      () => repeat(once, Infinity, 7_000),
      async () => {
        const runs = [];
        await repeat(async () => runs.push(await measured(once)), 7, 700);
        return { wall: median(runs.map(({ wall }) => wall)), cpu: median(runs.map(({ cpu }) => cpu)) };
      },
    );
  },
};
