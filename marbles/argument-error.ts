import * as z from 'zod';
import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Arguments that can not be used',
  sentence: 'The tool does not run; the model is told what is wrong with its arguments, and calls again.',
  diagram: `
    ms        0              5
    model     -V      |        - y|
                      -W    |
    weather            -    -r |
    events    -(W<w>w)%(W<w)%*w>wy($|)
  `,
  calls: { V: { name: 'weather', arguments: { city: 7 } }, W: { name: 'weather', arguments: { city: 'Oslo' } } },
  tools: { weather: { parameters: z.object({ city: z.string() }) } },
  memory: [
    'user: hello',
    'assistant: weather({"city":7})',
    "weather failed: The arguments of weather don't fit its parameters:\n- city: Invalid input: expected string, received number; got 7",
    'assistant: weather({"city":"Oslo"})',
    'weather: r',
    'assistant: y',
  ],
});
