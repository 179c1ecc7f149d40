import { builtApp } from '../built.ts';
import { chosenUpstream } from './chosen-upstream.ts';
import { startServer } from './server.ts';

/** `npm run demo:angular`: builds the app where something has changed, and serves it until Ctrl-C. */
process.stdout.write('Building the app …\n');
const folder = await builtApp();
const upstream = await chosenUpstream(process.env);
const port = Number(process.env['PORT'] || 4200);
const server = await startServer({ folder, upstream, port }).catch((error: Error) => {
  process.stderr.write(`error: ${error.message}. PORT names another port.\n`);
  process.exit(1);
});
process.stdout.write(`Asks ${upstream.description}\n\n  ${server.url}\n\nCtrl-C ends it.\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // An embedded API would write to the end though nobody listens any more.
  process.once(signal, () => void server.stop().then(() => process.exit()));
}
