import { ConfigurationError } from '../../chat/configuration-error.ts';
import { invalidOption } from '../../chat/option-checks.ts';

/** The little that is used of Node. */
interface Fs {
  readFileSync(path: string, encoding: 'utf8'): string;
  writeFileSync(path: string, text: string): void;
  renameSync(from: string, to: string): void;
  rmSync(path: string, options: { force: boolean }): void;
  mkdirSync(path: string, options: { recursive: boolean }): void;
  accessSync(path: string, mode: number): void;
  statSync(path: string, options: { throwIfNoEntry: false }): { isDirectory(): boolean } | undefined;
}

interface Node {
  readonly pid: number;
  readonly getBuiltinModule: (id: string) => unknown;
}

const writable = 2;

/** The file of a cassette. All errors are `ConfigurationError`s that say what to do. */
export interface CassetteFile {
  readonly path: string;
  read(): string;
  /** Throws where it can't be written, before anything is recorded. */
  prepare(): void;
  /** Writes beside it and renames, so that there is never half a cassette. */
  write(text: string): void;
}

/** Throws a `ConfigurationError` where there are no files. `instead`: what to do there. */
export function cassetteFile(where: string, file: string | URL, instead: string): CassetteFile {
  // Asked at run time: a static import of a Node builtin would break browsers.
  const { process } = globalThis as { process?: Partial<Node> };
  if (typeof process?.getBuiltinModule !== 'function')
    throw new ConfigurationError(`${where}: there are no files here, only in Node from 20.16 on; ${instead}.`);
  const builtin = <T>(id: string) => process.getBuiltinModule!(id) as T;
  const fs = builtin<Fs>('node:fs');
  const path = pathOf(where, file, builtin);
  const failing = (what: string, remedy: string, cause: unknown) =>
    new ConfigurationError(`${where}: the file ${path} can't be ${what} (${reasonOf(cause)}); ${remedy}.`, { cause });
  const attempt = <T>(what: string, remedy: string, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw failing(what, remedy, error);
    }
  };
  return {
    path,
    read: () =>
      attempt('read', 'record it with recordCassette(model, { file }), or correct the path', () => fs.readFileSync(path, 'utf8')),
    prepare: () =>
      attempt('written', 'name a file in a folder that may be written to', () => {
        const { dirname } = builtin<{ dirname(path: string): string }>('node:path');
        fs.mkdirSync(dirname(path), { recursive: true });
        fs.accessSync(dirname(path), writable);
        if (fs.statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a folder');
      }),
    write: (text) => {
      const beside = `${path}.${process.pid}.tmp`;
      attempt('written', 'what was recorded is still in cassette()', () => {
        try {
          fs.writeFileSync(beside, text);
          fs.renameSync(beside, path);
        } catch (error) {
          fs.rmSync(beside, { force: true });
          throw error;
        }
      });
    },
  };
}

function pathOf(where: string, file: string | URL, builtin: <T>(id: string) => T): string {
  if (file instanceof URL && file.protocol === 'file:')
    return builtin<{ fileURLToPath(url: URL): string }>('node:url').fileURLToPath(file);
  if (typeof file === 'string' && file.trim() && !file.trimStart().startsWith('{')) return file;
  const shown = file instanceof URL ? file.href : typeof file === 'string' && file.trim() ? 'JSON text' : file;
  throw invalidOption(where, 'file', shown, 'it must be a path or a file: URL; JSON is read by parseCassette');
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
