// Runs a scenario: subjects are asked in turn, so that what disturbs the machine disturbs all of them.
import { startSubject } from './processes.mjs';

const isPeer = (subject) => subject !== 'floor' && subject !== 'ours';

/** Another one begins each time. */
const rotated = (list, by) => [...list.slice(by % list.length), ...list.slice(0, by % list.length)];

/** How a subject is asked in a scenario: in this process, in one of its own, or in a new one each time. */
function samplerOf(subject, name, scenario, origin) {
  if (scenario.sampleOf) return { sample: async () => ({ numbers: await scenario.sampleOf(subject, { origin }) }), stop() {} };
  let current;
  const stop = () => {
    current?.stop();
    current = undefined;
  };
  const sample = async () => {
    current ??= await startSubject(subject, name, origin);
    const answer = await current.sample();
    if (scenario.needsNewProcess) stop();
    return answer;
  };
  return { sample, stop };
}

/**
 * The numbers of each turn, by subject, and what went wrong, by subject. A subject that fails has no further turn, nor has a peer that
 * has used its seconds up.
 */
export async function turnsOf(name, scenario, subjects, { origin, most = Infinity }) {
  const { samples = 1, seconds = 8, atOnce = 1 } = scenario;
  const entries = subjects.map((subject) => ({ subject, ...samplerOf(subject, name, scenario, origin), spent: 0 }));
  const problems = {};
  const turns = [];
  const ask = async (entry, turn) => {
    const { subject } = entry;
    if (problems[subject] || (isPeer(subject) && entry.spent > seconds * 1000)) return;
    const start = performance.now();
    try {
      const { numbers, unhandled } = await entry.sample();
      turn[subject] = { ...numbers, unhandled };
    } catch (error) {
      problems[subject] = error.message.split('\n')[0].slice(0, 200);
    }
    // The first turn warms up, and counts by half.
    entry.spent += (performance.now() - start) / (entry.spent ? 1 : 2);
  };
  const first = scenario.throwsFirstAway ? -1 : 0;
  for (let time = first; time < Math.min(samples, most); time++) {
    const turn = {};
    const queue = rotated(entries, Math.max(0, time));
    const work = async () => {
      while (queue.length) await ask(queue.shift(), turn);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    if (time >= 0) turns.push(turn);
  }
  for (const { stop } of entries) stop();
  return { turns, problems };
}
