import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Cancel one call',
  sentence: 'The call is stopped and the model is told; the others and the invocation go on.',
  diagram: `
    ms        0             5        10
    model     -(NW)    |    - y|
    user      --       -x
    news       -       -- - - --   -n|
              -^       -!
    weather    -       -- r |
    events    -(N<nW<w)%>n*w>wy($|)
  `,
  call: 'start',
  user: { x: { cancelToolCall: 'N' } },
  memory: [
    'user: hello',
    'assistant: news() weather()',
    'news failed: The call of news was cancelled.',
    'weather: r',
    'assistant: y',
  ],
});
