import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'A limit that ends in an answer',
  sentence: "With `then: 'answer'` the model is asked once more, and may call no tool.",
  diagram: `
    ms        0          5
    model     -W    |  - y|
    weather    -    -r |
    events    -(W<w)%*w>wy($|)
  `,
  options: { maxToolCallingRoundTrips: 1, limits: { then: 'answer' } },
  offers: ['weather', 'weather (choice: "none")'],
  memory: ['user: hello', 'assistant: weather()', 'weather: r', 'assistant: y'],
});
