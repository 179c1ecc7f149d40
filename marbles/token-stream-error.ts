import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'In a token stream the model is told of errors',
  sentence: 'What fails an invocation by `stream` is by `tokenStream` a result that tells the model of the error.',
  diagram: `
    ms        0      5
    model     -W |- y|
    weather    - -#
    events    -<w%>wy($|)
  `,
  call: 'tokenStream',
  tools: { weather: { error: new Error('the wire is down') } },
  memory: ['user: hello', 'assistant: weather()', 'weather failed: the wire is down', 'assistant: y'],
});
