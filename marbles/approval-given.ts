import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Approval given',
  sentence: 'A call that needs an approval waits for it, and the others run meanwhile.',
  diagram: `
    ms       0             5      10
    model    -(PN)    |           - y|
    user     --       -- - --y
    pay                      - -p |
    news      -       -n |
    events   -(P!pN<n)%*n>n--<p-*p>py($|)
  `,
  call: 'start',
  tools: { pay: { needsApproval: true } },
  user: { y: { approve: 'P' } },
  memory: ['user: hello', 'assistant: pay() news()', 'pay: p', 'news: n', 'assistant: y'],
});
