import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'The result is the answer',
  sentence:
    'When all tools of a round return `immediate`, the invocation ends with their results, and the model is not asked again.',
  diagram: `
    ms       0
    model    -O    -|
    order     -    -o    |
    events   -(O<o)-(*o%)(>o$|)
  `,
  tools: { order: { returnBehavior: 'immediate' } },
  memory: ['user: hello', 'assistant: order()', 'order: o'],
});
