import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'One tool',
  sentence: 'The tool starts when the model has written its call, and the model answers when it has the result.',
  diagram: `
    ms        0        5
    model     -t-W    -|    - y|
    weather      -    -r    |
    events    -t-(W<w)-(*w%)>wy($|)
  `,
  memory: ['user: hello', 'assistant: t weather()', 'weather: r', 'assistant: y'],
});
