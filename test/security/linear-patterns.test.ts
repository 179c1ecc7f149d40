import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { analyse } from 'scslre';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../src/', import.meta.url));

/** What may take more than linear time, and why that does no harm: the text that it reads is not one that others write. */
const bounded: Readonly<Record<string, string>> = {
  '/\\/+$/': 'the slashes at the end of the base URL, which is an option',
};

interface Pattern {
  readonly file: string;
  readonly text: string;
}

/** All regular expressions of the sources, and all that are made at run time. */
function patternsIn(file: string): { readonly literals: readonly Pattern[]; readonly made: readonly Pattern[] } {
  const source = ts.createSourceFile(file, readFileSync(root + file, 'utf8'), ts.ScriptTarget.Latest, true);
  const literals: Pattern[] = [];
  const made: Pattern[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) literals.push({ file, text: node.text });
    const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
    if (isCall && node.expression.getText() === 'RegExp') made.push({ file, text: node.getText() });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { literals, made };
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'))
  .sort();
const literals = files.flatMap((file) => patternsIn(file).literals);
const made = files.flatMap((file) => patternsIn(file).made);

/** The ways in which a pattern may take more than linear time, also by being looked for at each place of a text. */
function slowness(text: string): readonly string[] {
  const end = text.lastIndexOf('/');
  return analyse({ source: text.slice(1, end), flags: text.slice(end + 1) }, { assumeRejectingSuffix: false }).reports.map(
    ({ type, exponential }) => `${type}${exponential ? ', exponential' : ''}`,
  );
}

describe('the regular expressions of the library', () => {
  it('read any text in linear time: nobody can make one run for minutes', () => {
    const slow = literals.filter(({ text }) => !Object.hasOwn(bounded, text) && slowness(text).length > 0);
    expect(slow.map(({ file, text }) => `${file}: ${text} (${slowness(text).join(', ')})`)).toEqual([]);
    expect(literals.length).toBeGreaterThan(100);
  });

  it('have no exception that is not needed', () => {
    const needed = (text: string) => literals.some((pattern) => pattern.text === text) && slowness(text).length > 0;
    expect(Object.keys(bounded).filter((text) => !needed(text))).toEqual([]);
  });

  it('are not made of texts that others write', () => {
    expect(made).toEqual([
      // Looks whether it is one, and reads nothing with it.
      { file: 'provider/schema/patterns.ts', text: "new RegExp(pattern, 'u')" },
      // Of the option `redact`.
      {
        file: 'testing/cassette/redaction.ts',
        text: "new RegExp(redact.source, `${redact.flags.replace(/[gy]/g, '')}g`)",
      },
    ]);
  });

  it.each([
    ['two stars, one in the other', '/(a+)+$/'],
    ['two parts that take the same', '/a*b?a*$/'],
    ['one that is looked for at each place', '/\\s+$/'],
  ])('are seen through by what checks them: %s', (_, text) => {
    expect(slowness(text)).not.toEqual([]);
  });
});
