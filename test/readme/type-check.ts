import ts from 'typescript';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the compiler says of these files, under the project's own strict settings and these. */
export function typeErrors(files: readonly string[], more: Readonly<Record<string, unknown>> = {}): readonly string[] {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(
    {
      ...config.compilerOptions,
      ...more,
      baseUrl: root,
      // Each snippet is a module of its own, also one that imports nothing.
      moduleDetection: 'force',
      isolatedModules: false,
      paths: { toolstream: ['src/index.ts'], 'toolstream/*': ['src/*/index.ts', 'src/provider/*/index.ts'] },
    },
    root,
  );
  const program = ts.createProgram([`${root}test/readme/globals.d.ts`, ...files], options);
  // Of these files alone: what they import is checked elsewhere.
  const diagnostics = files.flatMap((path) => {
    const file = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  });
  return [...program.getOptionsDiagnostics(), ...diagnostics].map((diagnostic) => {
    const { line } = diagnostic.file?.getLineAndCharacterOfPosition(diagnostic.start ?? 0) ?? { line: 0 };
    return `${diagnostic.file?.fileName ?? ''}:${line + 1} ${ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')}`;
  });
}
