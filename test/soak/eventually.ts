import { setTimeout as sleep } from 'node:timers/promises';

/** ms of the world: far more than anything takes, on a slow machine too. What is broken for good costs as much each time. */
const patience = 15_000;

/** Asks until there is nothing to complain of any more; what there still is when the patience has run out. */
export async function eventually(complaints: () => readonly string[]): Promise<readonly string[]> {
  const start = Date.now();
  for (let pause = 1; complaints().length > 0 && Date.now() - start < patience; pause = Math.min(50, pause * 2))
    await sleep(pause);
  return complaints();
}

/** What a promise holds, or the complaint that it holds nothing. */
export async function inPatience(promise: Promise<unknown>, complaint: string): Promise<readonly string[]> {
  const giveUp = new AbortController();
  const late = sleep(patience, [complaint], { signal: giveUp.signal }).catch(() => []);
  const complaints = await Promise.race([promise.then((): string[] => []), late]);
  giveUp.abort();
  return complaints;
}
