// The two tables: ours against the floor and the budget, and the peers.

export function number(value) {
  if (value === undefined) return '';
  if (!Number.isFinite(value)) return 'never';
  if (Number.isInteger(value) || Math.abs(value) >= 100) return value.toFixed(0);
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** Rows of cells as Markdown, in columns. */
function markdown(lines) {
  const widths = lines[0].map((_, column) => Math.max(3, ...lines.map((line) => line[column].length)));
  const text = lines.map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`);
  text.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  return text.join('\n');
}

const limitOf = ({ budget, isAbsolute, unit }) =>
  budget === undefined ? '' : isAbsolute ? `${budget} ${unit}`.trim() : `${budget} x floor`;

function cellsOfOurs(row) {
  const { floor, ours } = row.figures;
  const ratio = ours?.ratio === undefined ? '' : `${number(ours.ratio)} (${number(ours.from)} to ${number(ours.to)})`;
  const [first, ...equal] = row.best;
  const who = equal.length ? `${row.best.length} peers` : first;
  const best = first ? `${who} ${shown(row, row.figures[first])}${row.loss ? ' ▼' : ''}` : '';
  return [row.title, row.unit, number(floor?.value), number(ours?.value), ratio, best, limitOf(row), row.verdict ?? ''];
}

/** Ours, the floor, the best of the peers, and the budget. */
export const tableOfOurs = (rows) =>
  markdown([['', 'unit', 'floor', 'ours', 'ratio (quartiles)', 'best peer', 'budget', ''], ...rows.map(cellsOfOurs)]);

/** How a figure is shown beside others: as a ratio to the floor where there is one. */
export function shown({ hasRatio, unit }, figure) {
  if (!figure) return '';
  return hasRatio && figure.ratio !== undefined ? `${number(figure.ratio)} x` : `${number(figure.value)} ${unit}`.trim();
}

/** Ours and each peer; the best peer is bold, and a mark stands where it is better than ours. */
export function tableOfPeers(rows, peers) {
  const compared = rows.filter((row) => peers.some((peer) => row.figures[peer]));
  const cells = compared.map((row) => [
    row.title,
    row.loss ? '▼' : '',
    shown(row, row.figures.ours),
    ...peers.map((peer) => (row.best.includes(peer) ? `**${shown(row, row.figures[peer])}**` : shown(row, row.figures[peer]))),
  ]);
  return markdown([['', '', 'ours', ...peers], ...cells]);
}
