import { chromium as playwright, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chromium, chromiumFlags } from '../../browser/chromium.ts';
import { builtApp } from '../built.ts';
import { scriptedUpstream } from '../server/scripted-upstream.ts';
import { startServer, type DemoServer } from '../server/server.ts';

if (!chromium) console.info('Tests in a browser are skipped: there is no Chromium on this machine.');

/**
 * For suites whose tests need the browser. They spend their time waiting, and have nothing in common: they run side by side. The first
 * has the app built. What streams is gone when a busy machine gives the browser no time for seconds: such a test gets a second chance.
 */
export const inBrowser = { concurrent: true, skip: !chromium, timeout: 180_000, retry: 1 };

/** Long enough to be seen while it streams. */
const brisk = { chunkSize: 6, streamingProfile: { ttft: 100, tps: 40 } };

/**
 * A first piece, and then nothing until the test breaks the connection: when it breaks before the page has taken something in, the
 * answer is asked for once more, and nobody sees a loss.
 */
const untilCut = { chunkSize: 40, recordedTimings: { ttftMs: 50, interChunkDelaysMs: [50, 60_000], totalDurationMs: 60_100 } };

/** Chromium itself tells of a connection that broke; the page does not. */
const ownOfBrowser = /Failed to load resource: net::ERR_INCOMPLETE_CHUNKED_ENCODING/;

interface Fixtures {
  /** What the page is shown on. */
  readonly device: BrowserContextOptions;
  readonly app: string;
  readonly browser: Browser;
  readonly server: DemoServer;
  /** The app, just opened in a new profile. The test fails when something writes an error or a warning to the console. */
  readonly page: Page;
}

/** A test with the built app in Chromium. */
export const browserTest = test.extend<Fixtures>({
  device: {},
  app: [({}, use) => builtApp().then(use), { scope: 'file' }],
  browser: [
    async ({}, use) => {
      const browser = await playwright.launch({ executablePath: chromium!, args: [...chromiumFlags] });
      await use(browser);
      await browser.close();
    },
    { scope: 'file' },
  ],
  server: async ({ app }, use) => {
    const upstream = await scriptedUpstream(brisk, untilCut);
    const server = await startServer({ folder: app, upstream, port: 0 });
    await use(server);
    await server.stop();
    // It writes to the end though nobody listens any more: not waited for.
    void upstream.stop();
  },
  page: async ({ browser, server, device }, use) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...device });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !ownOfBrowser.test(message.text())) problems.push(message.text());
    });
    await page.goto(server.url);
    await use(page);
    await context.close();
    expect(problems).toEqual([]);
  },
});
