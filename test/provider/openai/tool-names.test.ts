import fc from 'fast-check';
import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatModelEvent } from '../../../src/chat/chat-model.ts';
import { originalNames } from '../../../src/provider/original-names.ts';
import { wireName } from '../../../src/provider/wire-name.ts';
import { collected } from '../collected.ts';

const specification = (name: string) => ({ name, parameters: { type: 'object' } });

/** A turn that calls tools by these names. */
function turn(...names: string[]): readonly ChatModelEvent[] {
  const requests = names.map((name, index) => ({ id: `c${index}`, name, arguments: '{}' }));
  return [
    { type: 'partialResponse', text: 'x' },
    ...requests.map(({ id, name }, index) => ({ type: 'partialToolCall', index, id, name, partialArguments: '{}' }) as const),
    ...requests.map((request, index) => ({ type: 'completeToolCall', index, request }) as const),
    { type: 'completeResponse', response: { aiMessage: { role: 'assistant', text: 'x', toolExecutionRequests: requests } } },
  ];
}

describe('the name of a tool on the wire', () => {
  it('is the name itself where the provider takes it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/), (name) => {
        expect(wireName(name)).toBe(name);
      }),
    );
  });

  it('[G57] is one that the provider takes for any other, and always the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (name) => {
        expect(wireName(name)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(wireName(name)).toBe(wireName(name));
      }),
    );
  });

  it('[G57] still says what the tool is', () => {
    expect(wireName('immich.search.metadata')).toMatch(/^immich_search_metadata_[0-9a-f]{12}$/);
    expect(wireName('x'.repeat(90))).toMatch(/^x{51}_[0-9a-f]{12}$/);
  });

  it('keeps names apart that look the same on it', () => {
    const names = ['a/b', 'a.b', 'a b', 'ünï', 'ünö', `${'x'.repeat(90)}1`, `${'x'.repeat(90)}2`];
    expect(new Set(names.map((name) => wireName(name))).size).toBe(names.length);
  });
});

describe('the names that come back', () => {
  it('[G57] are those that the tools were given, in every event', () => {
    const names = ['immich.search', 'plain', 'ünï'];
    const back = collected(
      of(...turn(...names.map((name) => wireName(name)))).pipe(originalNames(names.map(specification), wireName)),
    ).values;
    expect(back).toEqual(turn(...names));
  });

  it('are left as they are where no tool has them', () => {
    const events = turn('query<|channel|>x', 'a_b');
    expect(collected(of(...events).pipe(originalNames([specification('a.b')], wireName))).values).toEqual(events);
    expect(collected(of(...events).pipe(originalNames(undefined, wireName))).values).toEqual(events);
  });
});
