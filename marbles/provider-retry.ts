import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'A retry of the provider',
  sentence: 'Before anything of an answer was there the provider itself asks again, and those who listen are told.',
  diagram: `
    ms       0    5
    model    --@---y|
    events   --@---y($|)
  `,
  says: { '@': { type: 'retry', attempt: 1, delay: 3, error: new Error('overloaded') } },
  memory: ['user: hello', 'assistant: y'],
});
