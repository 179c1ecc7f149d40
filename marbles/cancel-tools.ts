import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Leave while tools run',
  sentence: 'To unsubscribe stops the tools too, and memory tells which of them were done.',
  diagram: `
    ms        0                5
    model     -(NW)    |
    news       -       n    |
    weather    -       -    - --r|
              -^       -    - -!
    events    -(N<nW<w)(*n%)>n-
              ^-       -    - -!
  `,
  memory: ['user: hello', 'assistant: news() weather()', 'news: n', 'weather failed: Tool execution did not complete.'],
});
