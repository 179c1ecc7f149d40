import { cpuPerUnit, inProcess, perUnit, together } from '../measure.mjs';
import { script } from '../wire/script.mjs';

const loop = (rounds) => script({ rounds, tokens: 5 });
/**
 * ms. V8 goes on compiling what a round runs until some 10,000 of them have run: the floor takes 3 s for that, ours and xsAI 6 s. What
 * comes behind the first measurement runs the same code.
 */
const warmUpTime = 7_000;

/** Per round of one tool call, over HTTP as in life; what a round costs of its own shows without it. */
export const rounds = {
  samples: 7,
  rows: [
    { key: 'ten', title: 'CPU per round of 10, HTTP', unit: 'us', budget: 1.15 },
    { key: 'fifty', title: 'CPU per round of 50, HTTP', unit: 'us', budget: 1.15, of: ({ fifty }) => fifty.cpu },
    { key: 'wall', title: 'time per round of 50, HTTP', unit: 'us', of: ({ fifty }) => fifty.wall },
    { key: 'twoHundred', title: 'CPU per round of 200, HTTP', unit: 'us', budget: 1.15 },
    { key: 'bare', title: 'CPU per round of 50, no HTTP', unit: 'us' },
    {
      key: 'growth',
      title: '200 rounds cost as much as how many times 10, no HTTP',
      unit: 'x',
      budget: 22,
      isAbsolute: true,
      of: ({ bareLong, bareShort }) => (201 * bareLong) / (11 * bareShort),
    },
  ],
  begin: together({
    ten: cpuPerUnit(loop(10), 11, 18, Infinity, warmUpTime),
    fifty: perUnit(loop(50), 51, 4, 10),
    twoHundred: cpuPerUnit(loop(200), 201, 1, 2),
    bare: inProcess(cpuPerUnit(loop(50), 51, 20, 40)),
    bareShort: inProcess(cpuPerUnit(loop(10), 11, 80, 100)),
    bareLong: inProcess(cpuPerUnit(loop(200), 201, 4, 10)),
  }),
};
