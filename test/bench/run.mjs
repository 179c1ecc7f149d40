// npm run bench -- [--only tokens,rounds] [--peers xsai,openai | none] [--turns 1] [--json FILE] [--write]
// Measures the built library against the budgets and the peers. Always ends with code 0: this is a measure, no test.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startServer } from './processes.mjs';
import { circumstances, report, resultsPage } from './results-page.mjs';
import { rowOf } from './rows.mjs';
import { scenarios } from './scenarios/index.mjs';
import { isInstalled, peers } from './subjects.mjs';
import { turnsOf } from './turns.mjs';

const text = { type: 'string' };
const { values } = parsed({ only: text, peers: text, turns: text, json: text, write: { type: 'boolean' } });

function parsed(options) {
  try {
    return parseArgs({ options });
  } catch (error) {
    console.error(`${error.message} There are: ${Object.keys(options).join(', ')}.`);
    return process.exit();
  }
}

if (values.turns !== undefined && !(Number(values.turns) >= 1)) {
  console.error(`--turns is ${values.turns}; it must be a number of at least 1.`);
  process.exit();
}

/** What a list of names says, or all of them. */
function chosen(list, all, what) {
  const names = list?.split(',').filter((name) => name !== 'none') ?? all;
  const unknown = names.find((name) => !all.includes(name));
  if (unknown === undefined) return names;
  console.error(`There is no ${what} ${unknown}. There are: ${all.join(', ')}.`);
  return process.exit();
}

const wanted = chosen(values.only, Object.keys(scenarios), 'scenario');
const wantedPeers = chosen(values.peers, peers, 'peer');
const installed = wantedPeers.filter(isInstalled);
const missing = wantedPeers.filter((peer) => !isInstalled(peer));
if (missing.length)
  console.error(`Not installed, and not measured: ${missing.join(', ')}. \`npm run bench:peers\` installs the peers.`);
const subjects = ['floor', 'ours', ...installed];

const begin = performance.now();
const secondsSince = (start) => Math.round((performance.now() - start) / 1000);
const server = await startServer();
const done = [];
const rows = [];
for (const name of wanted) {
  const start = performance.now();
  const result = await turnsOf(name, scenarios[name], subjects, {
    origin: server.origin,
    most: Number(values.turns ?? Infinity),
  });
  done.push({ name, ...result });
  rows.push(...scenarios[name].rows.map((row) => rowOf(row, result, subjects)));
  console.error(`${name}: ${secondsSince(start)} s`);
}
server.stop();

const page = report({ rows, scenarios: done, peers: installed });
const around = { ...circumstances(subjects), seconds: secondsSince(begin) };
console.log(`\n${page}\n`);
if (values.json) writeFileSync(values.json, JSON.stringify({ ...around, rows, scenarios: done }, null, 2));
if (values.write) writeFileSync(new URL('RESULTS.md', import.meta.url), resultsPage(around, page));
