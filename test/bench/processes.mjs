// The processes of a run: the server, and one for each subject.
import { fork } from 'node:child_process';
import { once } from 'node:events';

const file = (name) => new URL(name, import.meta.url);
const patience = 120_000;

export async function startServer() {
  const server = fork(file('server.mjs'));
  const [port] = await once(server, 'message');
  return { origin: `http://127.0.0.1:${port}`, stop: () => server.disconnect() };
}

/** A process that is asked for samples. What a peer writes to the console is not shown, unless BENCH_DEBUG is set. */
export async function startSubject(subject, scenario, origin) {
  const stdio = process.env.BENCH_DEBUG ? 'inherit' : 'ignore';
  const child = fork(file('child.mjs'), [subject, scenario, origin], {
    // While the others take their turns this one rests. V8 then reduces its memory, and throws away hidden classes without objects, the
    // optimised code that relies on them, and the code that has rested, too: no figure would be warm.
    execArgv: ['--expose-gc', '--no-memory-reducer', '--no-flush-bytecode'],
    stdio: ['ignore', stdio, stdio, 'ipc'],
  });
  const death = once(child, 'exit').then(() => ({ error: 'The process died. BENCH_DEBUG=1 shows what it said.' }));
  const next = async () => {
    let timer;
    const tooLate = new Promise((resolve) => {
      timer = setTimeout(resolve, patience, { error: `No answer in ${patience / 1000} s.` });
    });
    const answer = await Promise.race([once(child, 'message').then(([message]) => message), death, tooLate]);
    clearTimeout(timer);
    if (!answer.error) return answer;
    child.kill();
    throw new Error(answer.error);
  };
  await next();
  return {
    /** `{ numbers, unhandled }` */
    sample() {
      child.send('sample');
      return next();
    },
    stop: () => child.connected && child.disconnect(),
  };
}
