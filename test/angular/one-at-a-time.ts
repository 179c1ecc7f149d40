import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Does the work while no other process does it: test files run side by side, and beside the demo. */
export async function oneAtATime<T>(lock: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(lock), { recursive: true });
  while (!taken(lock)) await setTimeout(100);
  try {
    return await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function taken(lock: string): boolean {
  try {
    mkdirSync(lock);
    writeFileSync(join(lock, 'pid'), String(process.pid));
    return true;
  } catch {
    // What a killed process has left behind holds nobody up.
    if (!isAlive(ownerOf(lock))) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

/** `undefined` in the moment in which it has not been written yet. */
function ownerOf(lock: string): number | undefined {
  try {
    return Number(readFileSync(join(lock, 'pid'), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
