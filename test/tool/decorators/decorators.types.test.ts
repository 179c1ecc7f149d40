import { readFileSync } from 'node:fs';
import type { Observable } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { fixturePath, kindNames } from './compiled.ts';
import type { Fitting, Misfit } from './fixtures/types.ts';
import { typeErrorsOf } from './type-check.ts';

describe.each(kindNames)('with %s decorators', (kind) => {
  it('[S105] methods that fit compile, and those that do not fit do not', () => {
    // Each method that must not compile has its own @ts-expect-error, which is an error where there is none.
    expect(readFileSync(fixturePath('types'), 'utf8').match(/@ts-expect-error/g)).toHaveLength(24);
    expect(typeErrorsOf(['types', 'rejected', 'bank', 'family', 'weather'], kind)).toEqual([]);
  }, 60_000);
});

it('a decorated method keeps its own type, also where it does not fit', () => {
  expectTypeOf<Fitting['observable']>().toEqualTypeOf<() => Observable<number>>();
  expectTypeOf<Parameters<Fitting['json']>>().toEqualTypeOf<[args: Readonly<Record<string, unknown>>]>();
  expectTypeOf<Parameters<Misfit['narrower']>>().toEqualTypeOf<[{ city: 'Paris' }]>();
});
