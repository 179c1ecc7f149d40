// How work is measured: warm, often, and within a time that a slow subject can't overrun by more than one piece of work.
import { invocations } from './invocations.mjs';

/** Wall and CPU time of work, in ms. CPU counts all threads of the process, the garbage collector's too. */
export async function measured(work) {
  const before = process.cpuUsage();
  const start = performance.now();
  const value = await work();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { wall, cpu: (user + system) / 1000, value };
}

/** Works `times` times, fewer when `milliseconds` are over, but once. Tells how often it was. */
export async function repeat(work, times, milliseconds) {
  const end = performance.now() + milliseconds;
  let done = 0;
  do {
    await work();
    done++;
  } while (done < times && performance.now() < end);
  return done;
}

const sampleTime = 500;

/** A function that runs `prepare` before its first work only. */
export function warm(prepare, work) {
  let isWarm = false;
  return async () => {
    if (!isWarm) await prepare();
    isWarm = true;
    return work();
  };
}

/** Wall and CPU time of one unit of an invocation, in us; an invocation has `units` of them. `warmUpTime`: ms at most. */
export function perUnit(what, units, times, warmUps, warmUpTime = 1_500) {
  return (make, context) => {
    const once = invocations(make, what, context);
    return warm(
      () => repeat(once, warmUps, warmUpTime),
      async () => {
        const { wall, cpu, value } = await measured(() => repeat(once, times, sampleTime));
        return { wall: (wall * 1000) / (units * value), cpu: (cpu * 1000) / (units * value) };
      },
    );
  };
}

export const cpuPerUnit = (...how) => {
  const begin = perUnit(...how);
  return (make, context) => {
    const sample = begin(make, context);
    return async () => (await sample()).cpu;
  };
};

/** Several measurements of one scenario, by the keys of its rows. */
export const together = (parts) => (make, context) => {
  const begun = Object.entries(parts).map(([key, part]) => [key, part(make, context)]);
  return async () => {
    const numbers = {};
    for (const [key, sample] of begun) numbers[key] = await sample();
    return numbers;
  };
};

/** A measurement without sockets, whatever the scenario has. */
export const inProcess = (part) => (make) => part(make, {});
