import * as z from 'zod';
import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'An object for an answer',
  sentence: 'An answer that is not what `output` says is asked for once more; those who listen are told to drop the first one.',
  diagram: `
    ms       0
    model    -a|
               -b|
    events   -t&t($|)
  `,
  says: {
    a: { type: 'partialResponse', text: '{"city":4}' },
    b: { type: 'partialResponse', text: '{"city":"Oslo"}' },
  },
  options: { output: z.object({ city: z.string() }) },
  where: { $: { content: { city: 'Oslo' } } },
  memory: ['user: hello', 'assistant: {"city":"Oslo"}'],
});
