import { setTimeout as sleep } from 'node:timers/promises';
import { invocations } from '../invocations.mjs';
import { repeat } from '../measure.mjs';
import { median } from '../statistics.mjs';
import { script } from '../wire/script.mjs';

async function settledHeap() {
  for (let time = 0; time < 4; time++) {
    gc();
    await sleep(20);
  }
  return process.memoryUsage().heapUsed;
}

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

/**
 * What an invocation with 64 calls leaves to the full collection, after those of the young that come more often have been: garbage,
 * but for as long as something old points to it.
 */
async function lastingOf(make) {
  const once = invocations(make, script({ rounds: 1, calls: 64, tokens: 20 }));
  await repeat(once, 200, 3_000);
  await settledHeap();
  const kept = [];
  for (let time = 0; time < 30; time++) {
    const before = process.memoryUsage().heapUsed;
    await once();
    for (let collection = 0; collection < 3; collection++) {
      await sleep(5);
      gc({ type: 'minor' });
    }
    kept.push((process.memoryUsage().heapUsed - before) / 1000);
  }
  return Math.max(0, median(kept));
}

/**
 * What 10,000 invocations with one tool call leave behind, after 4,000 that warm up, and what 10,000 more do: the less of both, since
 * the compiler adds to one or the other, and a leak to both. Slow subjects come to fewer in the time.
 */
export const heap = {
  samples: 1,
  needsNewProcess: true,
  // Bytes are counted, and no time: two processes may run at once.
  atOnce: 2,
  rows: [
    { key: 'kept', title: 'heap kept of each of 10,000 invocations', unit: 'B', budget: 32, isAbsolute: true },
    { key: 'times', title: '… or of as many as there was time for', unit: '', isAbsolute: true, isCompared: false },
    {
      key: 'lasting',
      title: 'heap of an invocation with 64 calls that lasts until a full collection',
      unit: 'kB',
      isAbsolute: true,
    },
    { key: 'timers', title: 'timers left behind', unit: '', budget: 0, isAbsolute: true },
  ],
  begin: (make) => async () => {
    const once = invocations(make, script({ rounds: 1, tokens: 20 }));
    await repeat(once, 4_000, 10_000);
    const timersBefore = timers();
    let before = await settledHeap();
    const work = async () => {
      const times = await repeat(once, 10_000, 12_000);
      // The last answer's body is read to its end.
      await sleep(10);
      const left = timers() - timersBefore;
      const after = await settledHeap();
      const kept = Math.max(0, after - before) / times;
      before = after;
      return { kept, times, timers: left };
    };
    const [one, other] = [await work(), await work()];
    return { ...(one.kept < other.kept ? one : other), lasting: await lastingOf(make) };
  },
};
