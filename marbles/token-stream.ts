import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'The token stream runs tools one after the other',
  sentence:
    'With the same service, `tokenStream` has the defaults of services that call back: the second tool waits for the first.',
  diagram: `
    ms        0       5          10
    model     -(NW)|          - y|
    news       -   --n|
    weather           -     -r|
    events    -<n  %--(>n<w)-->wy($|)
  `,
  call: 'tokenStream',
  memory: ['user: hello', 'assistant: news() weather()', 'news: n', 'weather: r', 'assistant: y'],
});
