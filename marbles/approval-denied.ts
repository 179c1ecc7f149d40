import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Approval denied',
  sentence: 'The tool does not run, the model is told why, and the invocation goes on.',
  diagram: `
    ms       0        5
    model    -P    |  - o-k|
    user     --    ---n
    pay
    events   -(P!p)%-->po-k($|)
  `,
  call: 'start',
  tools: { pay: { needsApproval: true } },
  user: { n: { deny: 'P', reason: 'too dear' } },
  memory: ['user: hello', 'assistant: pay()', 'pay failed: The call was not approved: too dear', 'assistant: ok'],
});
