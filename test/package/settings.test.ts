import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { typeErrors } from '../readme/type-check.ts';

describe('under exactOptionalPropertyTypes', () => {
  it('an option may be given as undefined, as what an environment has or has not', () => {
    const file = fileURLToPath(new URL('settings.ts', import.meta.url));
    expect(typeErrors([file], { exactOptionalPropertyTypes: true })).toEqual([]);
  }, 60_000);
});
