import { cpuPerUnit, inProcess, together } from '../measure.mjs';
import { script } from '../wire/script.mjs';

/** Per streamed piece of one call's arguments; a piece must not cost more the longer the arguments are. */
export const fragments = {
  samples: 9,
  rows: [
    { key: 'short', title: 'CPU per fragment, 20 KB in 1,000', unit: 'us', budget: 1.5 },
    { key: 'long', title: 'CPU per fragment, 100 KB in 5,000', unit: 'us', budget: 1.5 },
    {
      key: 'growth',
      title: 'a fragment of 5,000 costs as much as how many of 1,000',
      unit: 'x',
      hasRatio: false,
      of: ({ long, short }) => long / short,
    },
  ],
  begin: together({
    short: inProcess(cpuPerUnit(script({ rounds: 1, argumentLength: 20_000, fragments: 1_000 }), 1_000, 30, 100)),
    long: inProcess(cpuPerUnit(script({ rounds: 1, argumentLength: 100_000, fragments: 5_000 }), 5_000, 6, 10)),
  }),
};
