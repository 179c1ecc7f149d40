import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'One tool at a time',
  sentence: 'With `toolConcurrency: 1` calls wait for those before them, in the order of the requests.',
  diagram: `
    ms        0        5            10
    model     -N    -W|           - y|
    news       -    ---n |
    weather              -     -r |
    events    -(N<n)-W%*n(>n<w)-*w>wy($|)
  `,
  options: { toolConcurrency: 1 },
  memory: ['user: hello', 'assistant: news() weather()', 'news: n', 'weather: r', 'assistant: y'],
});
