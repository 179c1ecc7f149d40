import { expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import type { DeepPartial } from '../../../src/service/output/deep-partial.ts';

// The type checker is the judge here.
it('every property of a partial value may be missing, at every depth', () => {
  expectTypeOf<DeepPartial<{ a: string; b: { c: number; d?: boolean } }>>().toEqualTypeOf<{
    a?: string;
    b?: { c?: number; d?: boolean };
  }>();
  const value: DeepPartial<{ a: string; b: { c: number } }> = { b: {} };
  // @ts-expect-error What is there has its type.
  const wrong: DeepPartial<{ a: string }> = { a: 5 };
  expect([value, wrong]).toHaveLength(2);
});

it('what is in a partial array is there, though it may be partial itself', () => {
  expectTypeOf<DeepPartial<string[]>>().toEqualTypeOf<string[]>();
  expectTypeOf<DeepPartial<{ a: string }[]>>().toEqualTypeOf<{ a?: string }[]>();
  expectTypeOf<DeepPartial<readonly { a: string }[]>>().toEqualTypeOf<readonly { a?: string }[]>();
  expectTypeOf<DeepPartial<{ list: number[][] }>>().toEqualTypeOf<{ list?: number[][] }>();
});

it('a partial tuple may end early', () => {
  expectTypeOf<DeepPartial<[string, { a: number }]>>().toEqualTypeOf<[string?, { a?: number }?]>();
  const tuple: DeepPartial<[string, number]> = ['a'];
  expect(tuple).toEqual(['a']);
});

it('a partial union is one of partial values', () => {
  type Shape = { kind: 'circle'; radius: number } | { kind: 'square'; side: { length: number } };
  expectTypeOf<DeepPartial<Shape>>().toEqualTypeOf<
    { kind?: 'circle'; radius?: number } | { kind?: 'square'; side?: { length?: number } }
  >();
  expectTypeOf<DeepPartial<string | null | { a: 1 }>>().toEqualTypeOf<string | null | { a?: 1 }>();
});

it('what is there as a whole or not at all stays as it is', () => {
  expectTypeOf<DeepPartial<string>>().toEqualTypeOf<string>();
  expectTypeOf<DeepPartial<'a' | 5 | true | null>>().toEqualTypeOf<'a' | 5 | true | null>();
  expectTypeOf<DeepPartial<{ at: Date; n: bigint }>>().toEqualTypeOf<{ at?: Date; n?: bigint }>();
  expectTypeOf<DeepPartial<Map<string, { a: 1 }>>>().toEqualTypeOf<Map<string, { a: 1 }>>();
  expectTypeOf<DeepPartial<unknown>>().toEqualTypeOf<unknown>();
  expectTypeOf<DeepPartial<never>>().toBeNever();
});

it('it follows what zod infers, recursive types included', () => {
  const tree = z.object({
    name: z.string().brand<'name'>(),
    get children() {
      return z.array(tree);
    },
  });
  type Tree = z.infer<typeof tree>;
  const value: DeepPartial<Tree> = { children: [{ children: [{}] }] };
  expectTypeOf<DeepPartial<Tree>['name']>().toEqualTypeOf<Tree['name'] | undefined>();
  expect(tree.safeParse(value).success).toBe(false);
});
