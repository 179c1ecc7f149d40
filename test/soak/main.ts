import { parseArgs } from 'node:util';
import { episode } from './episode.ts';
import { faultServer } from './fault-server.ts';
import { heapGrowth } from './heap-growth.ts';
import { soak } from './soak.ts';
import { unheard } from './unheard.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    minutes: { type: 'string', default: '10' },
    /** Plays one number alone, and tells all of it. */
    only: { type: 'string' },
    width: { type: 'string', default: '12' },
  },
});
const { seed, only } = values;
const [minutes, width] = [numberOf('minutes'), numberOf('width')];

function numberOf(name: 'minutes' | 'width'): number {
  const number = Number(values[name]);
  if (number > 0 && number < Infinity) return number;
  console.error(`--${name} is ${values[name]}; it must be a number above 0.`);
  return process.exit(1);
}

/** Plays a plan by itself and shows what was asked, what was answered and what came of it. */
async function replay(number: number): Promise<boolean> {
  const complaints = unheard();
  const server = await faultServer();
  const { plan, violations, invocations } = await episode(server, seed, number);
  await server.stop();
  console.dir(plan, { depth: null });
  invocations.forEach(({ ledger, client }, place) => {
    const { runs, answer, ...rest } = ledger;
    const served = client.served.map(({ path, fault, turn: { calls } }) => ({
      path,
      ...fault,
      calls: calls.map(({ name }) => name),
    }));
    console.dir({ invocation: place, served, answer: answer?.slice(0, 80), ...rest }, { depth: null });
    console.table(runs.map(({ signal, ...run }) => ({ ...run, aborted: signal.aborted })));
  });
  const broken = [...violations, ...complaints.take()];
  console.log(broken.length === 0 ? 'All holds.' : broken.join('\n'));
  return broken.length === 0;
}

/** Plays plans for so long, and tells from time to time how it goes. */
async function run(): Promise<boolean> {
  const end = Date.now() + minutes * 60_000;
  const heap = heapGrowth();
  let told = 0;
  const tell = (failure: string) => console.error(`${failure}\n`);
  const { tally, failures } = await soak({
    seed,
    width,
    from: 0,
    onFailure: tell,
    goesOn: () => Date.now() < end,
    onBatch({ invocations }) {
      const used = heap.measure(invocations);
      if (invocations - told < 2000) return;
      told = invocations;
      console.log(`${invocations} invocations, heap ${(used / 2 ** 20).toFixed(1)} MB`);
    },
  });
  const leaks = heap.complaints();
  console.log(`\nseed ${seed}, ${tally.invocations} invocations\n${tally.table()}\n${heap.summary()}\n`);
  leaks.forEach(tell);
  console.log(failures.length + leaks.length === 0 ? 'All holds.' : 'Something does not hold: see above.');
  return failures.length + leaks.length === 0;
}

console.log(`seed ${seed}`);
process.exitCode = (await (only === undefined ? run() : replay(Number(only)))) ? 0 : 1;
