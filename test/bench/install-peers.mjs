// npm run bench:peers: installs each peer from its lock file into a folder of its own, so that nobody else pays for them and the size
// of each can be told.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { peers } from './subjects.mjs';

for (const peer of peers) {
  console.log(peer);
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: fileURLToPath(new URL(`peers/${peer}/`, import.meta.url)),
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}
