import { playwright } from '@vitest/browser-playwright';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { chromiumFlags } from './chromium.ts';
import { modelServerCommands } from './model-server.ts';
import type { TestPlaces } from './test-places.ts';

/** The tests that need no Node, once more in a real browser. */
export function browserProjects(
  executablePath: string,
  { onePage, ownPage, packages }: TestPlaces,
): readonly TestProjectInlineConfiguration[] {
  const project = (name: string, include: readonly string[], isolate: boolean): TestProjectInlineConfiguration => ({
    // A package that is found on the way makes the page load anew, and what it had loaded is there twice: RxJS for one.
    optimizeDeps: { include: [...packages], noDiscovery: true },
    test: {
      name,
      include: [...include],
      isolate,
      fileParallelism: false,
      setupFiles: ['test/browser/same-cases.ts'],
      // After those on Node, some of which wait for real time.
      sequence: { groupOrder: 1 },
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({ launchOptions: { executablePath, args: [...chromiumFlags] } }),
        instances: [{ browser: 'chromium' }],
        commands: { ...modelServerCommands },
      },
    },
  });
  // A page for each file takes three times as long as one for all: 150 s on two cores.
  return [project('browser', onePage, false), project('browser, own page', ownPage, true)];
}
