import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', '**/node_modules/**'],
    // An error that nobody handles must fail the run, whichever test it belongs to.
    dangerouslyIgnoreUnhandledErrors: false,
    testTimeout: 20_000,
  },
});
