import { toolErrorVisibleToLlm } from '../src/index.ts';
import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'An error that is made for the model',
  sentence: 'A tool that throws a `toolErrorVisibleToLlm` tells the model what to do about it, and the invocation goes on.',
  diagram: `
    ms        0             5
    model     -W    |- W    |  - y|
    weather    -    -# -    -r |
    events    -(W<w)%>w(W<w)%*w>wy($|)
  `,
  tools: { weather: { error: toolErrorVisibleToLlm('Say the country, too.') } },
  memory: [
    'user: hello',
    'assistant: weather()',
    'weather failed: Say the country, too.',
    'assistant: weather()',
    'weather: r',
    'assistant: y',
  ],
});
