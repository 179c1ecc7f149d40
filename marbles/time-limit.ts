import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'A limit of time',
  sentence: 'What runs when the time is up is stopped, and the invocation fails.',
  diagram: `
    ms        0             5        10
    model     -(NW)    |
    news       -       -n |
    weather    -       -- - --    ---r|
              -^       -- - -!
    events    -(N<nW<w)%*n>n-(>w#)
  `,
  options: { limits: { duration: 6 } },
  fails: 'LimitExceededError: The invocation has reached a limit: limits.duration is 6.',
  memory: [
    'user: hello',
    'assistant: news() weather()',
    'news: n',
    'weather failed: The tool was stopped: the time of the invocation is up.',
  ],
});
