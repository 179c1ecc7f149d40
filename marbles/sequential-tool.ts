import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'A tool that runs once at a time',
  sentence: 'Calls of a `sequential` tool wait for each other, and other tools run beside them.',
  diagram: `
    ms       0                  5
    model    -(WVN)    |                - y|
    write     -        -w |
                          -     v |
    news      -        -- -     - n     |
    events   -(W<wWN<n)%*w(>w<w)*w(*n>w)>ny($|)
  `,
  calls: { W: { name: 'write' }, V: { name: 'write' } },
  tools: { write: { execution: 'sequential' } },
  memory: ['user: hello', 'assistant: write() write() news()', 'write: w', 'write: v', 'news: n', 'assistant: y'],
});
