import { readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';
import * as rxjs from 'rxjs';
import ts from 'typescript';
import * as zod from 'zod';
import type * as bank from '../../../src/demo/bank/bank.ts';
import * as toolstream from '../../../src/index.ts';

const source = new URL('../../../src/demo/bank/bank.ts', import.meta.url);

const modules: Readonly<Record<string, unknown>> = { rxjs, zod, '../../index.ts': toolstream };

/** The demo's bank as the TypeScript compiler makes it: what runs the tests can't read its decorators. */
export function compiledBank(): typeof bank {
  const { outputText } = ts.transpileModule(readFileSync(source, 'utf8'), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS },
  });
  const exports = {};
  const run = compileFunction(outputText, ['require', 'exports']) as (
    require: (name: string) => unknown,
    exports: object,
  ) => void;
  run((name) => modules[name], exports);
  return exports as typeof bank;
}
