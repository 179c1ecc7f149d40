import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Results in the order of the requests',
  sentence: 'The fast tool is told when it ends, but memory and the next request have the results in the order of the calls.',
  diagram: `
    ms       0                5      10
    model    -(SF)    |           - y|
    slow      -       -    - ---s |
    fast      -       f    |
    events   -(S<sF<f)(*f%)>f---*s>sy($|)
  `,
  memory: ['user: hello', 'assistant: slow() fast()', 'slow: s', 'fast: f', 'assistant: y'],
});
