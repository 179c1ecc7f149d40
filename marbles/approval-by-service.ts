import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Approval by the service',
  sentence: 'With `approveToolExecution` the service itself asks whoever has to agree, with any Observable.',
  diagram: `
    ms         0           5
    model      -P    |        - y|
    approver    -    --(y|)
    pay                -   -p |
    events     -(P!p)%-<p  -*p>py($|)
  `,
  tools: { pay: { needsApproval: true } },
  sources: { approver: { y: true } },
  options: ({ source }) => ({ approveToolExecution: () => source<boolean>('approver') }),
  memory: ['user: hello', 'assistant: pay()', 'pay: p', 'assistant: y'],
});
