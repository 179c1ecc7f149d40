import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'An answer that breaks after a tool has run',
  sentence: 'The invocation fails, and memory keeps what the tool has done, so that the model learns of it.',
  diagram: `
    ms       0               5
    model    -M    -N      - #
    mail      -    -m      |
    news            -      - ---n |
    events   -(M<m)-(*mN<n)>m---*n(>n#)
  `,
  fails: 'ChatModelError: scripted: the connection was lost',
  memory: ['user: hello', 'assistant: mail() news()', 'mail: m', 'news: n'],
});
