import { urlOf } from '../invocations.mjs';
import { repeat, warm } from '../measure.mjs';
import { median } from '../statistics.mjs';
import { script } from '../wire/script.mjs';
import { workTool } from '../work-tool.mjs';

const what = script({ tokens: 20, framesPerChunk: 1 });

/** From the question to the first text, with a tool declared: whatever a library prepares lies in between. */
export const firstToken = {
  samples: 9,
  rows: [{ key: 'first', title: 'time to the first token, HTTP', unit: 'ms' }],
  begin(make, { origin }) {
    const ask = make({ baseUrl: urlOf(origin, what), tools: [workTool()] });
    const once = async () => {
      const start = performance.now();
      let first;
      await ask((piece) => {
        // Some give empty pieces away: they are no token.
        if (piece) first ??= performance.now() - start;
      });
      return first;
    };
    return warm(
      () => repeat(once, 200, 1_000),
      async () => {
        const times = [];
        await repeat(async () => times.push(await once()), 30, 500);
        return { first: median(times) };
      },
    );
  },
};
