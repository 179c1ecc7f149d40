import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'A tool starts while the model still streams',
  sentence: 'A call runs as soon as it is complete: the first result is there before the model has written the second call.',
  diagram: `
    ms        0             5            10
    model     -W    -t    - t-N    -|    - y|
    weather    -    -r    |
    news                      -    -n    |
    events    -(W<w)-(*wt)>wt-(N<n)-(*n%)>ny($|)
  `,
  memory: ['user: hello', 'assistant: tt weather() news()', 'weather: r', 'news: n', 'assistant: y'],
});
