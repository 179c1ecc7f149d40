import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const json = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly publishConfig: object;
  readonly dependencies: Readonly<Record<string, string>>;
};
const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  readonly packages: Readonly<
    Record<string, { readonly dependencies?: object; readonly hasInstallScript?: boolean; readonly integrity?: string }>
  >;
};

describe('the package as it is published', () => {
  it('runs nothing when it is installed', () => {
    const atInstall = ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare', 'dependencies'];
    expect(Object.keys(json.scripts).filter((name) => atInstall.includes(name))).toEqual([]);
    for (const name of Object.keys(json.dependencies))
      expect(lock.packages[`node_modules/${name}`]?.hasInstallScript ?? false).toBe(false);
  });

  it('brings with it what it names, and nothing behind that', () => {
    for (const name of Object.keys(json.dependencies)) {
      const locked = lock.packages[`node_modules/${name}`];
      expect(locked?.integrity).toMatch(/^sha512-/);
      expect(locked?.dependencies).toBeUndefined();
    }
  });

  it('holds what was built and what is to be read, and no tests, sources or settings', () => {
    const [built, ...read] = json.files.filter((file) => !file.startsWith('!'));
    expect(built).toBe('dist');
    expect(read.filter((file) => !/\.(md|svg)$/.test(file))).toEqual([]);
  });

  it('is published with its provenance, after an audit and all checks', () => {
    expect(json.publishConfig).toEqual({ access: 'public', provenance: true });
    expect(json.scripts['prepublishOnly']).toBe('npm audit --omit=dev && npm run check');
  });
});
