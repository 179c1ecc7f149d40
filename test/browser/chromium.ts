import { existsSync } from 'node:fs';

const usualPlaces = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * The browser that tests run in, for Playwright's `executablePath`; undefined where there is none.
 * `CHROMIUM_PATH` names another one, and none at all when it is empty.
 */
export const chromium: string | undefined = found(process.env['CHROMIUM_PATH']);

/** For Playwright's `args`. Without the last three it looks up Google's hosts at every start. */
export const chromiumFlags: readonly string[] = [
  // Chromium has no sandbox for root, who runs most containers.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function found(named: string | undefined): string | undefined {
  if (named === undefined) return usualPlaces.find((path) => existsSync(path));
  if (named !== '' && !existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, and there is nothing.`);
  return named || undefined;
}
