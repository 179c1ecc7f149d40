import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'An error of a tool fails the invocation',
  sentence: 'It does so when all tools of the round have settled, and memory tells the model what was done and what was not.',
  diagram: `
    ms        0            5
    model     -(NW)    |
    news       -       -#
    weather    -       -- --r |
    events    -(N<nW<w)%>n--*w(>w#)
  `,
  tools: { news: { error: new Error('the wire is down') } },
  fails: 'Error: the wire is down',
  memory: ['user: hello', 'assistant: news() weather()', 'news failed: Tool execution did not complete.', 'weather: r'],
});
