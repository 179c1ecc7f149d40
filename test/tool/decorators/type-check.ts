import ts from 'typescript';
import { fileURLToPath } from 'node:url';
import { fixturePath, kinds, type Kind } from './compiled.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** What the compiler says of these fixtures under the project's own strict settings and one kind of decorators. */
export function typeErrorsOf(fixtures: readonly string[], kind: Kind): readonly string[] {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, ...kinds[kind] }, root);
  const program = ts.createProgram(fixtures.map(fixturePath), options);
  const diagnostics = fixtures.flatMap((fixture) =>
    ts.getPreEmitDiagnostics(program, program.getSourceFile(fixturePath(fixture))),
  );
  return diagnostics.map(({ file, start = 0, messageText }) => {
    const { line } = file?.getLineAndCharacterOfPosition(start) ?? { line: 0 };
    return `${file?.fileName ?? ''}:${line + 1} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}
