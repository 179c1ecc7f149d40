import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'All leave, and it runs on',
  sentence: 'A started invocation is not cancelled by those who leave: only `cancel` stops it.',
  diagram: `
    ms        0        5    10
    model     -W    |   -y|
    weather    -    ---r|
    events    -(W<w)%
              ^-    -!
    result                    ($|)
              --    ----------^
  `,
  call: 'start',
  memory: ['user: hello', 'assistant: weather()', 'weather: r', 'assistant: y'],
});
