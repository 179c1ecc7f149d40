import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Only the text, or only the result',
  sentence: '`text()` is what the model says in all rounds, as it says it; `result()` is one value, in the end.',
  diagram: `
    ms        0    5
    model     -a-W|  -y|
    weather      ---r|
    text      -a------y|
    result    ---------($|)
  `,
  call: 'start',
  memory: ['user: hello', 'assistant: a weather()', 'weather: r', 'assistant: y'],
});
