import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Of two errors the one of the first request',
  sentence: 'Which error an invocation fails with does not depend on which tool was faster.',
  diagram: `
    ms        0            5
    model     -(NW)    |
    news       -       -- --#
    weather    -       -#
    events    -(N<nW<w)%>w--(>n#)
  `,
  fails: 'Error: news failed',
  memory: [
    'user: hello',
    'assistant: news() weather()',
    'news failed: Tool execution did not complete.',
    'weather failed: Tool execution did not complete.',
  ],
});
