import { describe, expect, it } from 'vitest';
import { assembled, completed, lines, type Step } from './assembled.ts';

const head = (index: number | undefined, id: string, name: string, written = ''): Step => ({
  index,
  id,
  name,
  arguments: written,
});
const piece = (index: number, written: string, id?: string): Step => ({ index, id, arguments: written });
const call = (id: string, name: string, written: string) => ({ id, name, arguments: written });

describe('pieces at a place where no call has begun', () => {
  it.each<[string, readonly Step[]]>([
    ['all behind the first', [head(0, 'A', 'read'), piece(1, '{"p":'), piece(1, '"x"}')]],
    ['that counts up with each of them', [head(0, 'A', 'read', '{"p"'), piece(1, ':'), piece(2, '"x"}')]],
    ['with a blank one at the end', [head(0, 'A', 'read'), piece(1, '{"p":"x"}'), piece(2, '\n')]],
    ['whose id says which call it is', [head(0, 'A', 'read'), piece(1, '{"p":', 'A'), piece(2, '"x"}', 'A')]],
    ['though id and name come again', [head(0, 'A', 'read', '{"p"'), head(1, 'A', 'read', ':"x"}')]],
  ])('are arguments of the call before them: %s', (_, steps) => {
    expect(completed([...steps, 'finish'])).toEqual([call('A', 'read', '{"p":"x"}')]);
    expect(assembled([...steps, 'finish']).requests).toHaveLength(1);
  });

  it.each<[string, readonly Step[]]>([
    ['its head', [head(0, 'B', 'g'), piece(1, '{"b":2}')]],
    ['its head and its first piece', [head(0, 'B', 'g', '{"b"'), piece(1, ':2}')]],
    ['its head, with an id on all pieces', [head(0, 'B', 'g'), piece(1, '{"b":', 'B'), piece(1, '2}', 'B')]],
    ['its head, each piece one place further', [head(0, 'B', 'g'), piece(1, '{"b":'), piece(2, '2}')]],
  ])('are those of the second call, of which only this came at the place of the first: %s', (_, steps) => {
    expect(completed([head(0, 'A', 'f', '{"a":1}'), ...steps, 'finish'])).toEqual([
      call('A', 'f', '{"a":1}'),
      call('B', 'g', '{"b":2}'),
    ]);
  });

  it('go where their id says when the place says otherwise', () => {
    const steps = [head(0, 'A', 'f'), head(1, 'B', 'g'), piece(0, '{"b":2}', 'B'), piece(1, '{"a":1}', 'A'), 'finish'] as const;
    expect(completed(steps)).toEqual([call('A', 'f', '{"a":1}'), call('B', 'g', '{"b":2}')]);
  });

  it('stay at their place when a server makes a new id for each', () => {
    expect(completed([head(0, 'A', 'f'), piece(0, '{"a":', 'Y'), piece(0, '1}', 'Z'), 'finish'])).toEqual([
      call('A', 'f', '{"a":1}'),
    ]);
    expect(completed([head(0, 'A', 'f', '{"a":'), head(0, 'Z', 'f', '1}'), 'finish'])).toEqual([call('A', 'f', '{"a":1}')]);
  });
});

describe('a call with the id of one before', () => {
  it.each<[string, readonly Step[]]>([
    ['without a place', [head(undefined, 'x', 'f', '{}'), head(undefined, 'x', 'g', '{}')]],
    ['without arguments', [head(undefined, 'x', 'f', '{}'), head(undefined, 'x', 'g')]],
    ['at the same place', [head(0, 'x', 'f', '{"a":1}'), head(0, 'x', 'g', '{"a":1}')]],
    ['at a place of its own', [head(0, 'x', 'f', '{"a":1}'), head(1, 'x', 'g', '{"a":1}')]],
  ])('but another name is another call: %s', (_, steps) => {
    expect(completed([...steps, 'finish']).map(({ id, name }) => [id, name])).toEqual([
      ['x', 'f'],
      ['made-1', 'g'],
    ]);
  });

  it('gets the pieces that come under that id from then on', () => {
    const steps: Step[] = [
      head(undefined, 'x', 'f', '{}'),
      head(undefined, 'x', 'g'),
      { id: 'x', arguments: '{"b":2}' },
      'finish',
    ];
    expect(completed(steps)).toEqual([call('x', 'f', '{}'), call('made-1', 'g', '{"b":2}')]);
  });

  it('keeps its own pieces where each has a place', () => {
    const steps = [head(0, 'x', 'f'), head(1, 'x', 'f'), piece(1, '{"b":2}', 'x'), piece(0, '{"a":1}', 'x'), 'finish'] as const;
    expect(completed(steps)).toEqual([call('x', 'f', '{"a":1}'), call('made-1', 'f', '{"b":2}')]);
  });
});

describe('an empty object that comes before the arguments', () => {
  it.each<[string, Step]>([
    ['alone', piece(0, '{"a":1}')],
    ['at another place', piece(1, '{"a":1}')],
    ['with id and name again', head(0, 'A', 'f', '{"a":1}')],
  ])('is no part of them: %s', (_, step) => {
    expect(lines([head(0, 'A', 'f', '{}'), step, 'finish'])).toEqual(['0 f A {"a":1}', '0 f A {"a":1} !']);
  });

  it('is no part of them either when they come in pieces', () => {
    const steps = [head(0, 'A', 'f', ' { } '), piece(0, '{'), piece(0, '"a":1}'), 'finish'] as const;
    expect(lines(steps)).toEqual(['0 f A {', '0 f A "a":1}', '0 f A {"a":1} !']);
  });

  it('are the arguments when nothing else comes, be the turn whole or cut', () => {
    const step = head(0, 'A', 'f', '{}');
    expect(lines([step])).toEqual([]);
    expect(lines([step, 'finish'])).toEqual(['0 f A {}', '0 f A {} !']);
    expect(lines([step, 'block'])).toEqual(['0 f A {}', '0 f A {} !']);
    expect(lines([step, 'cut'])).toEqual(['0 f A {}']);
  });
});

describe('a name that may come in pieces', () => {
  const growing = (name: string, written = '', index = 0): Step => ({ index, name, arguments: written, nameMayGrow: true });

  it('is told when it is whole, and never a part of it', () => {
    expect(lines([growing('get_'), growing('weather'), growing('', '{'), growing('', '}'), 'finish'])).toEqual([
      '0 get_weather made-1 {',
      '0 get_weather made-1 }',
      '0 get_weather made-1 {} !',
    ]);
  });

  it.each<[string, Step]>([
    ['something else begins', 'block'],
    ['the turn is cut', 'cut'],
  ])('is whole when %s', (_, step) => {
    expect(lines([growing('now')])).toEqual([]);
    expect(lines([growing('now'), step])).toEqual(['0 now made-1 ']);
  });

  it('is whole when the next call begins, and is told before it', () => {
    expect(lines([growing('now'), growing('add', '{}', 1), 'finish'])).toEqual([
      '0 now made-1 ',
      '0 now made-1  !',
      '1 add made-2 {}',
      '1 add made-2 {} !',
    ]);
  });
});
