import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import * as rxjs from 'rxjs';
import ts from 'typescript';
import * as zod from 'zod';
import { CompensateFor } from '../../../src/tool/compensate-for.ts';
import { Tool } from '../../../src/tool/tool-decorator.ts';

/** The two kinds of decorators that TypeScript knows. */
export const kinds = {
  TC39: {},
  legacy: { experimentalDecorators: true },
} as const satisfies Record<string, ts.CompilerOptions>;

export type Kind = keyof typeof kinds;

export const kindNames = Object.keys(kinds) as readonly Kind[];

export const fixturePath = (name: string): string => fileURLToPath(new URL(`./fixtures/${name}.ts`, import.meta.url));

/**
 * Loads a fixture as the TypeScript compiler makes it for one kind of decorators: what runs the tests can't read those of TC39.
 *
 * @param library - The decorators of the copy of this package that the fixture imports.
 */
export function compiled<M>(name: string, kind: Kind, library: object = { Tool, CompensateFor }): M {
  const path = fixturePath(name);
  const { outputText } = ts.transpileModule(readFileSync(path, 'utf8'), {
    fileName: path,
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS, ...kinds[kind] },
  });
  const isLegacy = outputText.includes('__decorate(');
  if (isLegacy !== (kind === 'legacy')) throw new Error(`${name} was not compiled for the decorators of ${kind}.`);
  const imported = (specifier: string): unknown => {
    if (specifier.includes('/src/')) return library;
    return { rxjs, zod }[specifier];
  };
  const exports = {};
  const run = compileFunction(outputText, ['require', 'exports'], { filename: `${path}.${kind}.js` });
  (run as (require: typeof imported, exports: object) => void)(imported, exports);
  return exports as M;
}
