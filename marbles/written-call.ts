import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'A call as it is written',
  sentence: 'The pieces of a call are told as the model writes them; the tool starts when the call is complete and not before.',
  diagram: `
    ms        0    5          10
    model     -:-:-W    |  - y|
    weather        -    -r |
    events    -:-:-(W<w)%*w>wy($|)
  `,
  says: { ':': { type: 'partialToolCall', index: 0, id: 'W', name: 'weather', partialArguments: '{ ' } },
  memory: ['user: hello', 'assistant: weather()', 'weather: r', 'assistant: y'],
});
