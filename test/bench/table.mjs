// From samples to the one table that is printed, and to the file of results.
import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { median, quantile } from './statistics.mjs';

const number = (value) => {
  if (value === undefined || Number.isNaN(value)) return '';
  return Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
};

/** One row's figures. The ratio is the middle of the ratios of the pairs, with its quartiles. */
export function rowOf(row, pairs) {
  const pick = row.of ?? ((numbers) => numbers[row.key]);
  const ours = pairs.map((pair) => pick(pair.ours));
  const floors = pairs.map((pair) => (pair.floor ? pick(pair.floor) : NaN));
  const ratios = ours.map((value, place) => value / floors[place]).filter(Number.isFinite);
  const hasRatio = !row.isAbsolute && !row.of && ratios.length > 0;
  const figures = {
    ours: median(ours),
    floor: median(floors),
    ...(hasRatio && { ratio: median(ratios), from: quantile(ratios, 0.25), to: quantile(ratios, 0.75) }),
  };
  const judged = row.isAbsolute ? figures.ours : figures.ratio;
  const verdict = row.budget === undefined ? '' : judged <= row.budget ? 'ok' : 'over';
  return { title: row.title, unit: row.unit, budget: row.budget, isAbsolute: Boolean(row.isAbsolute), ...figures, verdict };
}

function cells({ title, unit, budget, isAbsolute, floor, ours, ratio, from, to, verdict }) {
  const limit = budget === undefined ? '' : isAbsolute ? `${budget} ${unit}`.trim() : `${budget} x floor`;
  const times = ratio === undefined ? '' : `${number(ratio)} (${number(from)} to ${number(to)})`;
  return [title, unit, number(floor), number(ours), times, limit, verdict];
}

export function tableOf(rows) {
  const lines = [['', 'unit', 'floor', 'ours', 'ratio (quartiles)', 'budget', ''], ...rows.map(cells)];
  const widths = lines[0].map((_, column) => Math.max(3, ...lines.map((line) => line[column].length)));
  const text = lines.map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`);
  text.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  return text.join('\n');
}

const version = (name) =>
  JSON.parse(readFileSync(new URL(`../../node_modules/${name}/package.json`, import.meta.url), 'utf8')).version;

export function circumstances() {
  const [{ model }] = cpus();
  return {
    date: new Date().toISOString(),
    node: process.version,
    machine: `${cpus().length} x ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}`,
    versions: Object.fromEntries(['rxjs', 'zod', 'eventsource-parser'].map((name) => [name, version(name)])),
  };
}

export function resultsPage({ date, node, machine, versions }, table) {
  const packages = Object.entries(versions).map(([name, number]) => `${name} ${number}`);
  return `# Results

Written by \`npm run bench -- --write\`; how it is measured, and how to read it, is in [README.md](README.md).

- ${date}
- Node ${node}, ${packages.join(', ')}
- ${machine}

${table}
`;
}
