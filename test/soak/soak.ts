import { setTimeout as sleep } from 'node:timers/promises';
import { episode, type Episode } from './episode.ts';
import { eventually } from './eventually.ts';
import { faultServer } from './fault-server.ts';
import { newTally, type Tally } from './tally.ts';
import { unheard } from './unheard.ts';

export interface SoakOptions {
  readonly seed: string;
  /** The first number. */
  readonly from: number;
  /** How many plans are played at once. */
  readonly width: number;
  /** Whether another batch is wanted. */
  goesOn(batches: number): boolean;
  /** Nothing runs now. */
  onBatch?(tally: Tally): void;
  /** Something has broken: told at once. */
  onFailure?(failure: string): void;
}

export interface Soaked {
  readonly tally: Tally;
  /** With everything that is needed to play them again. */
  readonly failures: readonly string[];
}

/** Plans in a batch; between two of them everything comes to rest. */
const batchSize = 100;

/** Failures after which it is pointless to go on. */
const enough = 20;

/** Plays plans, batch by batch, and tells of each that broke what must hold. */
export async function soak({ seed, from, width, goesOn, onBatch, onFailure }: SoakOptions): Promise<Soaked> {
  const server = await faultServer();
  const complaints = unheard();
  const tally = newTally();
  const failures: string[] = [];
  let next = from;
  const fail = (number: number | string, violations: readonly string[], more: readonly string[] = []) => {
    if (violations.length === 0) return;
    const failure = [`seed ${seed}, number ${number}:`, ...new Set(violations), ...more].join('\n  ');
    failures.push(failure);
    onFailure?.(failure);
  };
  const worker = async (end: number) => {
    while (next < end && failures.length < enough) {
      const number = next++;
      const played = await episode(server, seed, number);
      tally.add(played);
      fail(number, played.violations, [`again: npm run soak -- --seed ${seed} --only ${number}`, ...facts(played)]);
    }
  };
  for (let batches = 0; goesOn(batches) && failures.length < enough; batches++) {
    const first = next;
    await Promise.all(Array.from({ length: width }, () => worker(first + batchSize)));
    // A rejection that nobody handles is told when the promises have had their turn.
    await sleep(1);
    fail(`${first} to ${next - 1}`, [
      ...complaints.take(),
      ...(await eventually(() => (server.underWay === 0 ? [] : [`${server.underWay} requests are open though all has ended`]))),
    ]);
    onBatch?.(tally);
  }
  complaints.stop();
  await server.stop();
  return { tally, failures };
}

/** What was planned and what was met: which of them comes first may differ when it is played again. */
function facts({ plan, invocations }: Episode): readonly string[] {
  const met = invocations.map(({ ledger, client }, place) => {
    const faults = client.served.map(({ fault }) => JSON.stringify(fault));
    return `invocation ${place}: ${ledger.notified.join(', ')}; met ${faults.join(' ')}`;
  });
  return [`plan: ${JSON.stringify(plan)}`, ...met];
}
