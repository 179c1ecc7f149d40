import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Progress',
  sentence: 'Each value of a tool is progress when it comes, and the last one is also the result.',
  diagram: `
    ms         0         5      10
    model      -D    |            - y|
    download    -    -1 -2 -3 --r |
    events     -(D<d)%*d-*d-*d--*d>dy($|)
  `,
  tools: { download: { values: { 1: '10 %', 2: '50 %', 3: '90 %', r: 'done' } } },
  where: { '*d': [{ value: '10 %' }, { value: '50 %' }, { value: '90 %' }, { value: 'done' }] },
  memory: ['user: hello', 'assistant: download()', 'download: done', 'assistant: y'],
});
