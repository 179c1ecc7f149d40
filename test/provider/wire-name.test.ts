import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wireName } from '../../src/provider/wire-name.ts';

const allowed = /^[a-zA-Z0-9_-]{1,64}$/;

/** The forms of all names; each fits, and no two are the same. */
function expectUnlike(names: readonly string[]): void {
  const forms = names.map((name) => wireName(name));
  expect(forms.filter((form) => !allowed.test(form))).toEqual([]);
  expect(new Set(forms).size).toBe(new Set(names).size);
}

describe('the names of many tools', () => {
  it('[G57] all fit, and no two become one', () => {
    const names = fc.sample(fc.string({ unit: 'binary', maxLength: 90 }), { numRuns: 5000, seed: 1 });
    expectUnlike([...names, ...names.map((name) => `server/${name}`)]);
  });

  it('[G57] stay apart where they differ only in letters that are replaced', () => {
    const replaced = ['.', '/', ' ', ':', 'é', '\u{1F600}', '\uD800', '\n'];
    expectUnlike([...replaced.flatMap((a) => replaced.map((b) => `tool${a}x${b}`)), 'tool_x_']);
  });

  it('[G57] stay apart where they begin with the same ninety letters', () => {
    expectUnlike(Array.from({ length: 20_000 }, (_, i) => `${'x'.repeat(90)}${i}`));
  });

  it('[G57] stay apart from one that looks like the form of another', () => {
    const odd = ['a.b', '', 'x'.repeat(90), 'ünï', '9/9'];
    const forms = odd.map((name) => wireName(name));
    const formsOfForms = forms.map((name) => wireName(name));
    expectUnlike([...odd, ...forms, ...formsOfForms, ...formsOfForms.map((name) => wireName(name))]);
  });

  it('[G57] that fit are not changed, even where they end like a hash', () => {
    for (const name of ['get_weather', 'commit_0123456789ab', 'a-1', '_', 'x'.repeat(64), 'sha_da39a3ee5e6b']) {
      expect(wireName(name)).toBe(name);
    }
  });

  it('fit other rules where an API has others', () => {
    const dotted = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;
    expect(wireName('a.b:c', dotted)).toBe('a.b:c');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 90 }), (name) => {
        expect(wireName(name, dotted)).toMatch(dotted);
      }),
    );
  });
});
