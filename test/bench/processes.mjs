// Runs a scenario: one process for each subject, asked in turn, so that what disturbs the machine disturbs both.
import { fork } from 'node:child_process';
import { once } from 'node:events';

const file = (name) => new URL(name, import.meta.url);

export async function startServer() {
  const server = fork(file('server.mjs'));
  const [port] = await once(server, 'message');
  return { origin: `http://127.0.0.1:${port}`, stop: () => server.disconnect() };
}

async function startSubject(subject, scenario, origin) {
  const child = fork(file('child.mjs'), [subject, scenario, origin], { execArgv: ['--expose-gc'] });
  await once(child, 'message');
  return {
    async sample() {
      child.send('sample');
      const [{ numbers, error }] = await Promise.race([
        once(child, 'message'),
        once(child, 'exit').then(() => [{ error: 'The process died.' }]),
      ]);
      if (error) throw new Error(`${scenario} of ${subject}: ${error}`);
      return numbers;
    },
    stop: () => child.connected && child.disconnect(),
  };
}

/** Samples of both subjects, in pairs. */
export async function samplesOf(name, { samples, needsNewProcess }, origin) {
  const start = (subject) => startSubject(subject, name, origin);
  const pairs = [];
  let subjects;
  for (let time = 0; time < samples; time++) {
    subjects ??= { floor: await start('floor'), ours: await start('ours') };
    const pair = {};
    // Who goes first changes.
    for (const subject of time % 2 ? ['ours', 'floor'] : ['floor', 'ours']) pair[subject] = await subjects[subject].sample();
    pairs.push(pair);
    if (needsNewProcess || time === samples - 1) {
      Object.values(subjects).forEach((subject) => subject.stop());
      subjects = undefined;
    }
  }
  return pairs;
}
