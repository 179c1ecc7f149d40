import { builtApp } from '../built.ts';
import { chosenUpstream } from './chosen-upstream.ts';
import { startServer } from './server.ts';

/** `npm run demo:angular`: builds the app where something has changed, and serves it until Ctrl-C. */
process.stdout.write('Building the app …\n');
const folder = await builtApp();
const upstream = await chosenUpstream(process.env);
const server = await startServer({ folder, upstream, port: Number(process.env['PORT'] ?? 4200) });
process.stdout.write(`Asks ${upstream.description}\n\n  ${server.url}\n\nCtrl-C ends it.\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void server.stop().then(() => upstream.stop()));
}
