/** Throws where lines are not as expected, and shows both, each with what is unlike marked. */
export function compareLines(what: string, actual: readonly string[], expected: readonly string[]): void {
  const isSame = actual.length === expected.length && actual.every((line, place) => line === expected[place]);
  if (!isSame)
    throw new Error([`The ${what}:`, 'expected', ...marked(expected, actual), 'actual', ...marked(actual, expected)].join('\n'));
}

function marked(lines: readonly string[], others: readonly string[]): readonly string[] {
  if (lines.length === 0) return ['    none'];
  return lines.map((line, place) => `${line === others[place] ? '   ' : '  ≠'} ${line}`);
}
