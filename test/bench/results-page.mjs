// The page of results: everything in it is computed.
import { cpus, totalmem } from 'node:os';
import { packagesOf } from './subjects.mjs';
import { number, shown, tableOfOurs, tableOfPeers } from './table.mjs';

/** When, where and with what it was measured. */
export function circumstances(subjects) {
  const [{ model }] = cpus();
  return {
    date: new Date().toISOString(),
    node: process.version,
    machine: `${cpus().length} x ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}`,
    packages: Object.fromEntries(subjects.map((subject) => [subject, packagesOf(subject)])),
  };
}

const listed = (lines, otherwise) => (lines.length ? lines.map((line) => `- ${line}`).join('\n') : otherwise);

/** A title that goes on with the one before ("… with zod") stands alone in a list: it needs its beginning. */
function fullTitle(rows, row) {
  if (!row.title.startsWith('…')) return row.title;
  const { title } = rows.slice(0, rows.indexOf(row)).findLast(({ title }) => !title.startsWith('…'));
  return `${title} ${row.title}`;
}

function lossLine(rows, row) {
  const { loss, figures } = row;
  const { ours, [loss.peer]: peer } = figures;
  const share = peer.middle > 0 ? ` (ours is ${number(ours.middle / peer.middle)} times that)` : '';
  const close = loss.isClose ? '; the middle halves of the samples overlap' : '';
  return `${fullTitle(rows, row)}: ${loss.peer} ${shown(row, peer)}, ours ${shown(row, ours)}${share}${close}`;
}

/** The rows in which a peer is better than ours, that the reader need not search for them. */
const lossesOf = (rows) =>
  listed(
    rows.filter((row) => row.loss).map((row) => lossLine(rows, row)),
    'In no row.',
  );

/** What gave a wrong answer or none: it was not measured. And promises that were rejected with nobody to catch them. */
function remarksOf(scenarios) {
  const lines = [];
  for (const { name, turns, problems } of scenarios) {
    for (const [subject, problem] of Object.entries(problems)) lines.push(`${subject}, ${name}, not measured: ${problem}`);
    const last = {};
    for (const turn of turns) for (const [subject, { unhandled }] of Object.entries(turn)) last[subject] = unhandled;
    for (const [subject, count] of Object.entries(last))
      if (count) lines.push(`${subject}, ${name}: ${count} promises were rejected that nobody could have caught`);
  }
  return listed(lines, 'Nothing.');
}

/** What is printed and written alike. */
export function report({ rows, scenarios, peers }) {
  const parts = [['Ours and the floor', tableOfOurs(rows)]];
  if (peers.length)
    parts.push(
      [
        'Peers',
        `As ratios to the floor where the row has one. **Bold**: the best peer. ▼: it is better than ours.\n\n${tableOfPeers(rows, peers)}`,
      ],
      ['Where we lose', lossesOf(rows)],
    );
  parts.push(['What was wrong', remarksOf(scenarios)]);
  return parts.map(([title, text]) => `## ${title}\n\n${text}`).join('\n\n');
}

export function resultsPage({ date, node, machine, packages, seconds }, text) {
  const subjects = Object.entries(packages).map(([name, list]) => `- ${name}: ${list}`);
  return `# Results

Written by \`npm run bench -- --write\`; what is compared, by which rules, and how to read it, is in [README.md](README.md).

- ${date}, ${seconds} s
- Node ${node}, ${machine}
${subjects.join('\n')}

Each subject has a process of its own, and they take turns. A figure is the median of the turns, a ratio the median of the ratios to the
floor of the same turn, with quartiles. Every answer is checked to the letter. Times of two runs can't be compared, ratios can.

${text}
`;
}
