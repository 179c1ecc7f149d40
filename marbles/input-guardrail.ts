import { guardrail } from '../src/index.ts';
import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'A question that is refused',
  sentence: 'An input guardrail judges the question before the model gets it.',
  diagram: `
    ms       0
    model
    events   #
  `,
  input: 'Who is the password?',
  options: { inputGuardrails: [({ text }) => (/password/.test(text) ? guardrail.fatal('no secrets') : guardrail.success())] },
  fails: "InputGuardrailError: The user's message was refused by inputGuardrails[0]: no secrets",
  memory: [],
});
