import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Two tools at once',
  sentence: 'Calls of one answer run beside each other: the round takes as long as the slowest of them.',
  diagram: `
    ms        0           5        10
    model     -(NW)    |        - y|
    news       -       ---- - n |
    weather    -       ---r |
    events    -(N<nW<w)%--*w>w*n>ny($|)
  `,
  memory: ['user: hello', 'assistant: news() weather()', 'news: n', 'weather: r', 'assistant: y'],
});
