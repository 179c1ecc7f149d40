import { describe, expect, it } from 'vitest';
import { assembled, completed, lines, type Step } from './assembled.ts';

interface Quirk {
  /** The case in `test/wire/cases` that it is known from. */
  readonly name: string;
  readonly steps: readonly Step[];
  readonly lines: readonly string[];
}

const quirks: readonly Quirk[] = [
  {
    name: 'chat-parallel-interleaved',
    steps: [
      { index: 0, id: 'x', name: 'add', arguments: '' },
      { index: 1, id: 'y', name: 'multiply', arguments: '' },
      { index: 0, arguments: '{"a"' },
      { index: 1, arguments: '{"b":2}' },
      { index: 0, arguments: ':1}' },
      'finish',
    ],
    lines: [
      '0 add x ',
      '1 multiply y ',
      '0 add x {"a"',
      '1 multiply y {"b":2}',
      '0 add x :1}',
      '0 add x {"a":1} !',
      '1 multiply y {"b":2} !',
    ],
  },
  {
    name: 'chat-index-zero-start-then-fragments',
    steps: [
      { index: 0, id: 'A', name: 'add', arguments: '' },
      { index: 0, arguments: '{"t":1}' },
      { index: 0, id: 'B', name: 'add', arguments: '' },
      { index: 0, arguments: '{"t":2}' },
      'finish',
    ],
    lines: ['0 add A ', '0 add A {"t":1}', '0 add A {"t":1} !', '1 add B ', '1 add B {"t":2}', '1 add B {"t":2} !'],
  },
  {
    name: 'chat-two-whole-calls-index-zero',
    steps: [
      { index: 0, id: 'A', name: 's', arguments: '{"q":1}' },
      { index: 0, id: 'B', name: 's', arguments: '{"q":2}' },
      'finish',
    ],
    lines: ['0 s A {"q":1}', '0 s A {"q":1} !', '1 s B {"q":2}', '1 s B {"q":2} !'],
  },
  {
    name: 'chat-no-index-whole-call',
    steps: [{ id: 'A', name: 's', arguments: '{"q":1}' }, 'finish'],
    lines: ['0 s A {"q":1}', '0 s A {"q":1} !'],
  },
  {
    name: 'chat-no-index-in-fragments',
    steps: [{ index: 0, id: 'A', name: 's', arguments: '' }, { arguments: '{"q"' }, { arguments: ':1}' }, 'finish'],
    lines: ['0 s A ', '0 s A {"q"', '0 s A :1}', '0 s A {"q":1} !'],
  },
  {
    name: 'chat-no-index-name-after-arguments',
    steps: [{ id: 'A', arguments: '{"q"' }, { name: 's', arguments: ':1}' }, 'finish'],
    lines: ['0 s A {"q":1}', '0 s A {"q":1} !'],
  },
  {
    name: 'chat-id-and-name-empty-on-later-deltas',
    steps: [{ index: 0, id: 'A', name: 's', arguments: '{"q"' }, { index: 0, id: '', name: '', arguments: ':1}' }, 'finish'],
    lines: ['0 s A {"q"', '0 s A :1}', '0 s A {"q":1} !'],
  },
  {
    name: 'chat-id-empty-from-the-start',
    steps: [{ index: 0, id: '', name: 's', arguments: '' }, { index: 0, id: '', arguments: '{}' }, 'finish'],
    lines: ['0 s made-1 ', '0 s made-1 {}', '0 s made-1 {} !'],
  },
  {
    name: 'chat-no-arg-tool-empty-string',
    steps: [{ index: 0, id: 'A', name: 's', arguments: '' }, { index: 0, arguments: '' }, 'finish'],
    lines: ['0 s A ', '0 s A  !'],
  },
  {
    name: 'chat-no-arg-tool-arguments-absent',
    steps: [{ index: 0, id: 'A', name: 's' }, 'finish'],
    lines: ['0 s A ', '0 s A  !'],
  },
  {
    name: 'chat-null-function-on-a-delta',
    steps: [{ index: 0, id: 'A', name: 's', arguments: '{}' }, { index: 0, id: null, name: null, arguments: null }, 'finish'],
    lines: ['0 s A {}', '0 s A {} !'],
  },
  {
    name: 'chat-legacy-function-call',
    steps: [{ name: 's', arguments: '' }, { arguments: '{"q"' }, { arguments: ':1}' }, 'finish'],
    lines: ['0 s made-1 ', '0 s made-1 {"q"', '0 s made-1 :1}', '0 s made-1 {"q":1} !'],
  },
  {
    name: 'chat-text-call-text',
    steps: [{ index: 0, id: 'A', name: 'find', arguments: '{}' }, 'block', 'finish'],
    lines: ['0 find A {}', '0 find A {} !'],
  },
  {
    name: 'chat-arguments-malformed',
    steps: [{ index: 0, id: 'A', name: 's', arguments: '{"c":"a {" "} b"}' }, 'block', 'finish'],
    lines: ['0 s A {"c":"a {" "} b"}', '0 s A {"c":"a {" "} b"} !'],
  },
  {
    name: 'chat-length-cuts-arguments',
    steps: [{ index: 0, id: 'A', name: 's', arguments: '{"path":"a.md","content":"# Ti' }],
    lines: ['0 s A {"path":"a.md","content":"# Ti'],
  },
];

describe('what servers do to tool calls', () => {
  it.each(quirks)('$name', (quirk) => {
    expect(lines(quirk.steps)).toEqual(quirk.lines);
    expect(assembled(quirk.steps).conflicts).toEqual([]);
  });

  it('takes a name that comes in pieces, and one that is repeated with each piece', () => {
    expect(
      completed([{ index: 0, id: 'A', name: 'get_' }, { index: 0, name: 'weather' }, { index: 0, arguments: '{}' }, 'finish'])[0],
    ).toMatchObject({ name: 'get_weather' });
    expect(
      completed([{ index: 0, id: 'A', name: 's', arguments: '{' }, { index: 0, id: 'A', name: 's', arguments: '}' }, 'finish']),
    ).toEqual([{ id: 'A', name: 's', arguments: '{}' }]);
  });

  it('takes whole arguments once that are told again at the end', () => {
    const steps: Step[] = [
      { index: 0, id: 'A', name: 's', arguments: '{"q"' },
      { index: 0, arguments: ':1}' },
      { index: 0, arguments: '{"q":1}' },
      'finish',
    ];
    expect(completed(steps)).toEqual([{ id: 'A', name: 's', arguments: '{"q":1}' }]);
  });

  it('gives a call an id of its own when the provider repeats one', () => {
    const steps: Step[] = [
      { index: 0, id: 'A', name: 's', arguments: '{"q":1}' },
      { index: 1, id: 'A', name: 's', arguments: '{"q":2}' },
      'finish',
    ];
    expect(completed(steps)).toEqual([
      { id: 'A', name: 's', arguments: '{"q":1}' },
      { id: 'made-1', name: 's', arguments: '{"q":2}' },
    ]);
  });

  it.each([
    ['nor index', {}],
    ['but always the index 0', { index: 0 }],
  ])('keeps whole calls apart that have neither an id of their own %s', (_, place) => {
    const steps: Step[] = [
      { ...place, id: 'A', name: 's', arguments: '{"q":1}' },
      { ...place, id: 'A', name: 't', arguments: '{"q":2}' },
      'finish',
    ];
    expect(completed(steps)).toEqual([
      { id: 'A', name: 's', arguments: '{"q":1}' },
      { id: 'made-1', name: 't', arguments: '{"q":2}' },
    ]);
  });

  it('keeps whole calls apart that have neither index nor id', () => {
    expect(
      completed([{ name: 's', arguments: '{}' }, { name: 's', arguments: '{}' }, { name: 't' }, 'finish']).map(
        ({ id, name }) => `${id} ${name}`,
      ),
    ).toEqual(['made-1 s', 'made-2 s', 'made-3 t']);
  });

  it('takes no notice of a piece that says nothing', () => {
    expect(assembled([{ index: 0, id: '', name: null, arguments: '' }, {}, 'block', 'finish'])).toEqual({
      events: [],
      requests: [],
      conflicts: [],
    });
  });

  it('tells nobody of a call before it has a name', () => {
    expect(lines([{ index: 0, id: 'A', arguments: '{"q":' }])).toEqual([]);
  });
});
