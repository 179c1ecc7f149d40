import { guardrail } from '../src/index.ts';
import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'An answer that is refused',
  sentence: 'No text goes out before an output guardrail has seen the answer; one that it refuses is asked for again.',
  diagram: `
    ms       0    5
    model    -n-o|
                 -y|
    events   ------($|)
    text     ------(y|)
  `,
  call: 'start',
  options: {
    outputGuardrails: [({ text }) => (text === 'no' ? guardrail.reprompt('too short', 'Say it kindly.') : guardrail.success())],
  },
  memory: ['user: hello', 'assistant: y'],
});
