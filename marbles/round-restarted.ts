import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'A round that is asked for again',
  sentence: 'When an answer breaks, `roundRetries` asks again, and those who listen are told to drop what it had said.',
  diagram: `
    ms       0    5
    model    -h-a-#
                  -h-i|
    events   -h-a-&h-i($|)
  `,
  options: { roundRetries: 1 },
  memory: ['user: hello', 'assistant: hi'],
});
