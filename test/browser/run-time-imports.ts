import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'vite';

interface Imports {
  /** Files of the project. */
  readonly files: readonly string[];
  /** Packages and builtins. */
  readonly modules: readonly string[];
}

/** What each file imports by itself: many tests share their files. */
const known = new Map<string, Imports>();

/**
 * The packages and builtins that run when a file does, imported by it or by what it imports, as they are written there.
 * Imports of types are none, and what is read by `import.meta.glob` imports nothing.
 */
export function runTimeImports(file: string): ReadonlySet<string> {
  const modules = new Set<string>();
  const files = new Set([file]);
  // A Set hands out what is added meanwhile, too.
  for (const each of files) {
    const found = importsOf(each);
    for (const name of found.modules) modules.add(name);
    for (const path of found.files) files.add(path);
  }
  return modules;
}

function importsOf(file: string): Imports {
  const before = known.get(file);
  if (before) return before;
  const all = specifiersIn(file, readFileSync(file, 'utf8'));
  const isFile = (specifier: string) => /^\.{1,2}\//.test(specifier);
  const files = all.filter((specifier) => isFile(specifier) && /\.m?[jt]s$/.test(specifier));
  const imports: Imports = {
    files: files.map((path) => join(dirname(file), path)),
    modules: all.filter((specifier) => !isFile(specifier)),
  };
  known.set(file, imports);
  return imports;
}

function specifiersIn(file: string, source: string): readonly string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, source).module;
  // With `verbatimModuleSyntax` it is this word alone that takes an import away.
  const runs = ({ start }: { readonly start: number }) => !/^(?:im|ex)port\s+type\b/.test(source.slice(start, start + 20));
  return [
    ...staticImports.filter(runs).map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.filter(runs).flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ...dynamicImports.flatMap(({ moduleRequest: { start, end } }) => /^['"](.+)['"]$/.exec(source.slice(start, end))?.[1] ?? []),
  ];
}
