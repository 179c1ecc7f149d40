import { expect, it } from 'vitest';
import { builtPackage } from '../built.ts';
import { ng } from '../ng.ts';

it("passes the app's own unit tests, which Angular's CLI runs", async () => {
  await builtPackage();
  expect(await ng('test')).toMatch(/Tests +\d+ passed/);
}, 180_000);
