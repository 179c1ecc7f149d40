import { env } from 'node:process';
import { expect, it } from 'vitest';
import { heapUsed } from './heap-used.ts';
import { soak } from './soak.ts';

/** The same in each run; `SOAK_SEED` names another. */
const seeds = env['SOAK_SEED'] === undefined ? ['one', 'two'] : [env['SOAK_SEED']];

/** Batches of each seed: together some 1,000 invocations. */
const batches = 2;

/** ms, of each seed: a slow machine does less in them, and fails for that no more than a fast one. */
const enough = 25_000;

/** Time is real here, and a machine may be busy: what breaks is what breaks each time. */
const options = { timeout: 180_000, retry: 2 };

it.each(seeds)('nothing that must hold breaks, whatever servers and tools do: seed %s', options, async (seed) => {
  const start = Date.now();
  const { tally, failures } = await soak({
    seed,
    from: 0,
    width: 12,
    goesOn: (played) => played < batches && Date.now() - start < enough,
  });
  console.info(`soak: seed ${seed}, ${tally.invocations} invocations\n${tally.table()}`);
  expect(failures.join('\n\n')).toBe('');
});

it('nothing of an invocation stays behind', options, async () => {
  const used: number[] = [];
  const { failures } = await soak({
    seed: 'heap',
    from: 0,
    width: 12,
    goesOn: (played) => played < 3,
    onBatch: () => used.push(heapUsed()),
  });
  expect(failures.join('\n\n')).toBe('');
  // Three batches are too few to tell a small leak, which `npm run soak` does. This one is of whole histories: some have results of
  // 200 kB, so that a batch whose invocations all stayed would leave tens of megabytes.
  expect(used.at(-1)! - used[0]!).toBeLessThan(16 * 2 ** 20);
});
