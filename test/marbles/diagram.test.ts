import { describe, expect, it } from 'vitest';
import { checkSpec } from './check-spec.ts';
import { drawDiagram } from './draw-diagram.ts';
import { readDiagram } from './read-diagram.ts';
import { spec } from './spec.ts';

const oneTool = spec({
  title: 'One tool',
  sentence: 'It runs.',
  diagram: `
    ms        0          5
    model     -W    |  - y|
    weather    -    -r |
    events    -(W<w)%*w>wy($|)
  `,
  memory: ['user: hello', 'assistant: weather()', 'weather: r', 'assistant: y'],
});

describe('a diagram', () => {
  it('is read lane by lane: runs of a source one behind the other, and when somebody came and left', () => {
    const lanes = readDiagram(`
      ms            0    5
      model         -W   |  -y|
                            -z|
      undo weather  (a|)--#
      events        -t
                    --^-!
    `);
    expect(lanes.map(({ label, runs, subscription }) => [label, runs.map(({ marbles }) => marbles), subscription])).toEqual([
      ['model', ['-W   |', '-y|', '-z|'], undefined],
      ['undo weather', ['(a|)', '--#'], undefined],
      ['events', ['-t'], '--^-!'],
    ]);
  });

  it('is drawn with each frame in one column of all lanes', () => {
    const mark = (frame: number, symbol: string) => ({ frame, symbol });
    const drawn = drawDiagram([
      { label: 'model', spans: [{ from: 0, length: 6, marks: [mark(1, 'W'), mark(5, '|')] }] },
      { label: 'events', spans: [{ from: 0, length: 6, marks: [mark(1, 'W'), mark(1, '<w'), mark(5, '%')] }] },
    ]);
    expect(drawn).toEqual(['ms       0        5', 'model    -W    ---|', 'events   -(W<w)---%']);
  });

  it('tells a long time in which nothing happens in ms, and is read as such', () => {
    const spans = [
      {
        from: 0,
        length: 42,
        marks: [
          { frame: 1, symbol: 't' },
          { frame: 41, symbol: '|' },
        ],
      },
    ];
    const drawn = drawDiagram([{ label: 'model', spans }]);
    expect(drawn).toEqual(['ms      0', 'model   -t 39ms |']);
    expect(readDiagram(drawn.join('\n'))[0]!.runs[0]!.length).toBe(42);
  });
});

describe('a spec', () => {
  it('passes when all went as it says', () => {
    expect(() => checkSpec(oneTool)).not.toThrow();
  });

  it('fails with both diagrams when something else happened', () => {
    const diagram = oneTool.diagram.replace('*w>wy', '*w-y');
    expect(() => checkSpec({ ...oneTool, diagram })).toThrow(
      [
        'The diagram of "One tool":',
        'expected',
        '    ms        0          5',
        '    model     -W    |  - y|',
        '    weather    -    -r |',
        '  ≠ events    -(W<w)%*w-y($|)',
        'actual',
        '    ms        0          5',
        '    model     -W    |  - y|',
        '    weather    -    -r |',
        '  ≠ events    -(W<w)%*w>wy($|)',
      ].join('\n'),
    );
  });

  it('fails when memory, an error or a value is another one', () => {
    const failing = (more: object) => () => checkSpec({ ...oneTool, ...more });
    expect(failing({ memory: [] })).toThrow('The memory:');
    expect(failing({ fails: 'Error: no' })).toThrow('The failures:');
    expect(failing({ offers: ['weather'] })).toThrow('The offers:');
    expect(failing({ where: { '*w': { value: 'snow' } } })).toThrow('*w is not as expected:');
    expect(failing({ where: { '^w': {} } })).toThrow('^w is not as expected:');
  });
});
