// npm run bench -- [--only tokens,rounds] [--json FILE] [--write]
// Measures the built library against the budgets. Always ends with code 0: this is a measure, no test.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { samplesOf, startServer } from './processes.mjs';
import { scenarios } from './scenarios.mjs';
import { sizes } from './size.mjs';
import { circumstances, resultsPage, rowOf, tableOf } from './table.mjs';

const { values } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'string' }, write: { type: 'boolean' } } });
const all = { ...scenarios, sizes };
const wanted = values.only?.split(',') ?? Object.keys(all);
const unknown = wanted.find((name) => !all[name]);
if (unknown) {
  console.error(`There is no scenario ${unknown}. There are: ${Object.keys(all).join(', ')}.`);
  process.exit();
}

const server = await startServer();
const rows = [];
for (const name of wanted) {
  const start = performance.now();
  const scenario = all[name];
  try {
    const pairs = await (scenario.samplesOf ? scenario.samplesOf() : samplesOf(name, scenario, server.origin));
    rows.push(...scenario.rows.map((row) => rowOf(row, pairs)));
  } catch (error) {
    console.error(error.message);
  }
  console.error(`${name}: ${((performance.now() - start) / 1000).toFixed(0)} s`);
}
server.stop();

const table = tableOf(rows);
const around = circumstances();
console.log(`\n${table}\n`);
if (values.json) writeFileSync(values.json, JSON.stringify({ ...around, rows }, null, 2));
if (values.write) writeFileSync(new URL('RESULTS.md', import.meta.url), resultsPage(around, table));
