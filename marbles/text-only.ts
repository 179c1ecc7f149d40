import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Text',
  sentence: 'Each piece of text is there when the model says it, and the final response behind the last one.',
  diagram: `
    ms       0    5
    model    -t-o-n-e|
    events   -t-o-n-e($|)
  `,
  memory: ['user: hello', 'assistant: tone'],
});
