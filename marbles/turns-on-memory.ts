import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Two questions to one memory',
  sentence: 'Invocations take turns on a memory: the second one begins when the first has its answer in there.',
  diagram: `
    ms            0         5
    model         -W    -|  - y|
                               -   z|
    weather        -    --r |
    events        -(W<w)-%*w>wy($|)
    next events         --- - --   z($|)
                  --    ^
  `,
  memory: ['user: hello', 'assistant: weather()', 'weather: r', 'assistant: y', 'user: hello', 'assistant: z'],
});
