import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'A tool that runs alone',
  sentence: 'A call of an `exclusive` tool waits for all before it, and all behind it wait for it.',
  diagram: `
    ms        0           5               10
    model     -(NMW)  |                     - y|
    news       -      --n |
    migrate               -     -m |
    weather                        -     -r |
    events    -(N<nMW)%-*n(>n<m)-*m(>m<w)-*w>wy($|)
  `,
  tools: { migrate: { execution: 'exclusive' } },
  memory: ['user: hello', 'assistant: news() migrate() weather()', 'news: n', 'migrate: m', 'weather: r', 'assistant: y'],
});
