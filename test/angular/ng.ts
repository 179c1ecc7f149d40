import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { workspace } from './folders.ts';

const cli = createRequire(import.meta.url).resolve('@angular/cli/bin/ng.js');

/** Runs the Angular CLI on the app. Resolves with what it printed, and rejects with that where it failed. */
export async function ng(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [cli, ...args], { cwd: workspace, env: plainEnvironment() });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`ng ${args.join(' ')} failed\n${output}`);
  return output;
}

/** Without what a test runner around us has set for its own workers. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS|NODE_ENV|TEST|DEV|PROD|MODE)/.test(name));
  return { ...Object.fromEntries(own), NG_CLI_ANALYTICS: 'false', NO_COLOR: '1' };
}
