import { hallucinatedToolNameStrategy } from '../src/index.ts';
import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'A tool that there is not, and a strategy for it',
  sentence: 'With a `hallucinatedToolNameStrategy` the model is told which tools there are, and calls the right one.',
  diagram: `
    ms        0              5
    model     -X      -|        - y|
                       -W    |
    weather             -    -r |
    events    -(X<x>x)-%(W<w)%*w>wy($|)
  `,
  calls: { X: { name: 'wether' } },
  options: { hallucinatedToolNameStrategy: hallucinatedToolNameStrategy.tellAvailableTools() },
  memory: [
    'user: hello',
    'assistant: wether()',
    'wether failed: There is no tool named "wether". Did you mean "weather"? The tools are: "weather".',
    'assistant: weather()',
    'weather: r',
    'assistant: y',
  ],
});
