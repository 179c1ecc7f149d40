// Who is measured: the floor, ours, and the peers that are installed.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Each has a folder in peers/ with packages of its own. */
export const peers = ['openai', 'ai-sdk', 'langchain', 'agents', 'xsai'];

const titles = {
  openai: 'OpenAI client, `runTools`',
  'ai-sdk': 'Vercel AI SDK, `streamText`',
  langchain: 'LangChain, `createAgent`',
  agents: 'OpenAI Agents, `Runner`',
  xsai: 'xsAI, `streamText`',
};

const here = (path) => new URL(path, import.meta.url);
const json = (url) => JSON.parse(readFileSync(url, 'utf8'));

/** The file that exports `subject`. */
export const fileOf = (name) => here(peers.includes(name) ? `peers/${name}/subject.mjs` : `subjects/${name}.mjs`);

export const isInstalled = (peer) => existsSync(here(`peers/${peer}/node_modules/.package-lock.json`));

function commit() {
  try {
    return ` (commit ${execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: here('.'), encoding: 'utf8' }).trim()})`;
  } catch {
    return '';
  }
}

const versionIn = (folder, name) => `${name} ${json(new URL(`node_modules/${name}/package.json`, folder)).version}`;

/** Name and version of the packages that a subject is made of. */
export function packagesOf(name) {
  const root = here('../../');
  if (name === 'floor') return versionIn(root, 'eventsource-parser');
  if (name === 'ours') {
    const { name: own, version } = json(new URL('package.json', root));
    return [`${own} ${version}${commit()}`, ...['eventsource-parser', 'rxjs', 'zod'].map((other) => versionIn(root, other))].join(
      ', ',
    );
  }
  const folder = here(`peers/${name}/`);
  const packages = Object.keys(json(new URL('package.json', folder)).dependencies);
  return `${titles[name]}: ${packages.map((other) => versionIn(folder, other)).join(', ')}`;
}
