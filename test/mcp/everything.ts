import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import process from 'node:process';
import { createInterface } from 'node:readline';

const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

/** The server that shows all features of the protocol, as a program. */
export const everything = { command: process.execPath, args: [program], stderr: 'ignore' } as const;

/** The same over HTTP, on a port of its own: starts it, and says when it listens. */
export async function everythingOverHttp(port?: number) {
  const chosen = port ?? (await freePort());
  const child = spawn(process.execPath, [program, 'streamableHttp'], {
    env: { ...process.env, PORT: String(chosen) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface(child.stderr)) if (line.includes('listening')) break;
  child.stderr.resume();
  return {
    port: chosen,
    url: `http://127.0.0.1:${chosen}/mcp`,
    stop: () => ended(child),
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A server of a few lines, as a program. */
export const script = (code: string) => ({ command: process.execPath, args: ['-e', code], stderr: 'ignore' }) as const;

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
