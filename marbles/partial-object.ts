import * as z from 'zod';
import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'An object that grows',
  sentence: 'With `partial()` the object is there as far as the model has written it, and in the end whole and checked.',
  diagram: `
    ms        0    5
    model     -a-b-c|
    partial   -p-p-p(p|)
  `,
  says: {
    a: { type: 'partialResponse', text: '{"city":"Os' },
    b: { type: 'partialResponse', text: 'lo","inhabitants":' },
    c: { type: 'partialResponse', text: '700000}' },
  },
  options: { output: z.object({ city: z.string(), inhabitants: z.number() }) },
  where: {
    p: [{ city: 'Os' }, { city: 'Oslo' }, { city: 'Oslo', inhabitants: 700_000 }, { city: 'Oslo', inhabitants: 700_000 }],
  },
  memory: ['user: hello', 'assistant: {"city":"Oslo","inhabitants":700000}'],
});
