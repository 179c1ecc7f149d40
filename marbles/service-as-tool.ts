import { aiService } from '../src/index.ts';
import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'A service as a tool',
  sentence: 'What happens in a service that is called as a tool is progress of the call, and its answer is the result.',
  diagram: `
    ms            0                  5            10
    model         -G    -     |             -     y|
    guide model    -    H     -|     - o -k |
    hotels              -     -h     |
    events        -(G<g)(*g*g)%(*g*g)*g*g-*g(*g>g)y($|)
  `,
  calls: { G: { name: 'guide', arguments: { input: 'Where to sleep?' } } },
  tools: { hotels: { isElsewhere: true } },
  options: ({ model, tool }) => ({
    tools: [aiService({ model: model('guide model'), tools: [tool('hotels')] }).asTool({ name: 'guide' })],
  }),
  memory: ['user: hello', 'assistant: guide({"input":"Where to sleep?"})', 'guide: ok', 'assistant: y'],
});
